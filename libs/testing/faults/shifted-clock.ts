/** Shifts `Date` in this process by `ms` milliseconds, like a machine with a wrong clock. */
export function shiftClock(ms: number): void {
  const RealDate = Date;
  const now = () => RealDate.now() + ms;
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args: unknown[]) =>
      Reflect.construct(target, args.length === 0 ? [now()] : args) as object,
    get: (target, key) => (key === 'now' ? now : (Reflect.get(target, key) as unknown)),
  });
}
