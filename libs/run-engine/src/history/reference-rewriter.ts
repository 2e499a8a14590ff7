/**
 * Says what a copied state has to say instead of what it says: the session's id, the keys of its objects, and ids of rows
 * that got new ones. Only whole texts are ids, and only the beginning of a text is a folder: prose is left alone.
 */
export class ReferenceRewriter {
  private readonly names = new Map<string, string>();

  /**
   * @param from the folder of the session that is copied, ending in `/`
   * @param to the folder of the copy
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

  /** The value with every text in it renamed; the value itself is left as it is. */
  json(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value);
    if (Array.isArray(value)) return value.map((item) => this.json(item));
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.json(item)]));
  }
}

/** Every text in a JSON value. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (value === null || typeof value !== 'object') return [];
  return Object.values(value).flatMap(textsIn);
}
