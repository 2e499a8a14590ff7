/** Moves this process's clock by so many milliseconds: what a machine with a wrong time does to `Date`. */
export function shiftClock(ms: number): void {
  const RealDate = Date;
  const now = () => RealDate.now() + ms;
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args: unknown[]) =>
      Reflect.construct(target, args.length === 0 ? [now()] : args) as object,
    get: (target, key) => (key === 'now' ? now : (Reflect.get(target, key) as unknown)),
  });
}
