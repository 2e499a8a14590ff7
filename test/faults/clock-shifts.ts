/** The clocks of the processes are wrong by up to this many milliseconds, in either direction. */
export const CLOCK_SHIFTS_MS = [0, 600_000, -600_000];
