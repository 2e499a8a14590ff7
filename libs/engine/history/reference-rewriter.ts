/**
 * Rewrites IDs and object keys in copied state: the session's ID, the keys of its objects, and the IDs of
 * rows that got new ones. IDs match whole strings only, and the folder matches only the beginning of a
 * string, so prose is unchanged.
 */
export class ReferenceRewriter {
  private readonly names = new Map<string, string>();

  /**
   * @param from folder of the original session, ending in `/`
   * @param to folder of the copy
   */
  constructor(
    private readonly from: string,
    private readonly to: string,
  ) {}

  add(name: string, now: string): void {
    this.names.set(name, now);
  }

  text(value: string): string {
    const name = this.names.get(value);
    if (name !== undefined) return name;
    return value.startsWith(this.from) ? this.to + value.slice(this.from.length) : value;
  }

  /** Returns a copy of the value with every string rewritten. */
  json(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value);
    if (Array.isArray(value)) return value.map((item) => this.json(item));
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.json(item)]));
  }
}

/** Returns every string in a JSON value. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (value === null || typeof value !== 'object') return [];
  return Object.values(value).flatMap(textsIn);
}
