// A launch that was brought to its end is made once more under all checkers, without being asked: "none up to here"
// would be taken for more than it is. It costs about what stepping to the end did.

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
