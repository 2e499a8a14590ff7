import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

/** Usual and quick size of a part of a bench. */
type Size = readonly [usual: number, quick: number];

export interface BenchOptions<Name extends string> {
  /** Whether the bench only has to show that it works: its figures mean nothing, and no limit is checked. */
  isQuick: boolean;
  sizes: Record<Name, number>;
  /** Arguments that are no options. */
  named: string[];
  /** Writes the figures into the file of `--json`, if it is given. */
  save(figures: unknown): void;
}

/**
 * Reads the options that each bench has: `--quick`, `--json FILE`, and one for each of its sizes, such as `--runs 1000`.
 */
export function benchOptions<Name extends string = never>(
  sizes: Record<Name, Size> = {} as Record<Name, Size>,
): BenchOptions<Name> {
  const names = Object.keys(sizes) as Name[];
  const { values, positionals } = parseArgs({
    options: {
      json: { type: 'string' },
      quick: { type: 'boolean', default: false },
      ...Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])),
    },
    allowPositionals: true,
  });
  const given = values as Record<string, string | boolean | undefined>;
  const sizeOf = (name: Name) => Number(given[name] ?? sizes[name][given['quick'] ? 1 : 0]);
  return {
    isQuick: given['quick'] === true,
    sizes: Object.fromEntries(names.map((name) => [name, sizeOf(name)])) as Record<Name, number>,
    named: positionals,
    save(figures) {
      const file = given['json'];
      if (typeof file === 'string') writeFileSync(file, `${JSON.stringify(figures, null, 2)}\n`);
    },
  };
}
