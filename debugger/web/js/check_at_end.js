// When a launch reaches its end, the page runs it again under all checkers without a request: otherwise "none up to
// here" would promise too much. It costs about as much as stepping to the end.

/** Once for every launch of the session. */
export function check_at_end(session) {
  let is_asked = false;
  session.subscribe(async (state) => {
    if (state.status === "starting") is_asked = false;
    if (!session.is_over || is_asked) return;
    is_asked = true;
    await session.settled();
    if (!session.is_over || session.state.areChecked) return;
    await session.check().catch(() => {}); // withdrawn, or the session is over: the panel goes on saying "up to here"
  });
}
