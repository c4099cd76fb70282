"""What every pass of the installed Triton makes of a kernel, executed and compared with the bounds of the launch.

passes.py runs Triton's own pipeline pass by pass in a process of its own, which may have another version of Triton.
judging.py has the command `lockstep` execute each text. stages.py puts both together: lockstep.stages() and the
command `lockstep stages`. Importing this costs nothing."""
