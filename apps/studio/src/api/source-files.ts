import { compareNames, normalizeSourceName } from '#contracts/source-name.js';
import { isCarriedName, TEXT_SAMPLE_BYTES, textProblem } from '#contracts/file-kinds.js';

/** A file from the drop zone. `path` begins with "/" in a dropped folder, else with "./". */
export interface PickedFile {
  readonly name: string;
  readonly path?: string;
  readonly size: number;
  slice(start: number, end: number): { arrayBuffer(): Promise<ArrayBuffer> };
}

export interface SourceFile<F> {
  /** Name in the session: a relative path (D7). */
  name: string;
  file: F;
}

/**
 * With `name`, the service refuses the name. With `duplicate`, a file with the same name was added later. With `kind`, no
 * text can be read from files of this type.
 */
export type LeftOutReason = 'hidden' | 'empty' | 'binary' | 'name' | 'duplicate' | 'kind';

export interface LeftOut {
  name: string;
  reason: LeftOutReason;
}

/** Files to send, skipped files, and names of sent files that no document can carry. */
export interface Selection<F> {
  sources: SourceFile<F>[];
  leftOut: LeftOut[];
  notCarried: string[];
}

export type CheckedFile<F> = SourceFile<F> & { reason: LeftOutReason | undefined };

/** Names files by their paths, and determines which cannot be sent. */
export function checkPicked<F extends PickedFile>(picked: readonly F[]): Promise<CheckedFile<F>[]> {
  return Promise.all(
    picked.map(async (file) => {
      const path = (file.path ?? file.name).replace(/^\.?\//, '');
      const { name = path } = normalizeSourceName(path);
      return { name, file, reason: await reasonToLeaveOut(path, file) };
    }),
  );
}

/**
 * Adds files to a selection, sorted by name in natural order; if a person moved files, behind them. A later file
 * replaces a file with the same name.
 */
export function addChecked<F>(known: Selection<F>, checked: readonly CheckedFile<F>[]): Selection<F> {
  const byName = new Map(known.sources.map(({ name, file }) => [name, file]));
  const placed = isMoved(known.sources) ? known.sources.map(({ name }) => name) : [];
  const leftOut = [...known.leftOut];
  for (const { name, file, reason } of checked) {
    if (reason === undefined && byName.has(name)) leftOut.push({ name, reason: 'duplicate' });
    if (reason === undefined) byName.set(name, file);
    else leftOut.push({ name, reason });
  }
  const others = [...byName.keys()].filter((name) => !placed.includes(name)).sort(compareNames);
  const sources = [...placed, ...others].map((name) => ({ name, file: byName.get(name)! }));
  return withSources({ ...known, leftOut }, sources);
}

/** Returns whether the files are in another order than the natural order of their names. */
export function isMoved(sources: readonly SourceFile<unknown>[]): boolean {
  return sources.some(({ name }, index) => index > 0 && compareNames(sources[index - 1]!.name, name) > 0);
}

/** Replaces the files of a selection, for example by fewer or in another order. */
export function withSources<F>({ leftOut }: Selection<F>, sources: SourceFile<F>[]): Selection<F> {
  const notCarried = sources.map(({ name }) => name).filter((name) => !isCarriedName(name));
  return { sources, leftOut, notCarried };
}

async function reasonToLeaveOut(path: string, file: PickedFile): Promise<LeftOutReason | undefined> {
  if (path.includes('/') && /(?:^|\/)\.[^./]/.test(path)) return 'hidden';
  if (normalizeSourceName(path).problem !== undefined) return 'name';
  if (file.size === 0) return 'empty';
  return textProblem(path, new Uint8Array(await file.slice(0, TEXT_SAMPLE_BYTES).arrayBuffer()));
}
