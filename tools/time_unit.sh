#!/usr/bin/env bash
# time_unit.sh COMPILER...: runs it and appends "CPU seconds <tab> object" to $LOCKSTEP_UNIT_TIMES. ccache calls it (CCACHE_PREFIX) for
# what it has to compile, and does not count it as part of the command; tools/unit_times.py reads the file.
exec 3>&2
TIMEFORMAT='%3U %3S'
times=$({ time "$@" 2>&3 3>&-; } 2>&1 >&3) && code=0 || code=$?
object=''
for word in "$@"; do
  if [ "$object" = next ]; then object=$word; break; fi
  [ "$word" != -o ] || object=next
done
read -r user system <<<"$times"
printf '%s\t%s\t%s\n' "$user" "$system" "$object" >>"$LOCKSTEP_UNIT_TIMES"
exit "$code"
