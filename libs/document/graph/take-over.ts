import type { DocumentPorts } from './ports.js';
import type { DocumentState, TakenOver } from './state.js';

/**
 * Appends the kept chapters whose turn it is (X6): those before which no source is left to write, or all of them.
 *
 * @param isProven whether the manuscript up to them passed validation; the kept chapters then count as validated as well
 */
export async function takeOver(
  { manuscripts }: Pick<DocumentPorts, 'manuscripts'>,
  state: DocumentState,
  { isProven }: { isProven: boolean },
): Promise<Partial<DocumentState>> {
  const { taken_over: taken, files_written, temp_md_path } = state;
  if (taken === null || taken.chapters.length === 0) return {};
  const written = new Set(files_written);
  const isLater = ({ due }: TakenOver['chapters'][number]) =>
    isProven && due.some((name) => !written.has(name));
  const next = taken.chapters.findIndex(isLater);
  const chapters = next < 0 ? taken.chapters : taken.chapters.slice(0, next);
  if (chapters.length === 0) return {};
  const lines = await manuscripts.lines(taken.manuscript);
  const { text, settled } = joined(chapters, lines);
  const version = await manuscripts.append(temp_md_path, `${text.join('\n')}\n`);
  const { pointer, outline } = version;
  const before = version.lines - text.length + 1;
  const rest = taken.chapters.slice(chapters.length);
  const due = new Set(rest.flatMap(({ files }) => files));
  const carried = taken.kept.filter((name) => !due.has(name));
  const validated_files = [...new Set([...state.validated_files, ...carried])];
  return {
    temp_md_path: pointer,
    document_outline: outline,
    files_read: carried,
    files_written: [...new Set([...written, ...carried])],
    taken_over: {
      ...taken,
      chapters: rest,
      settled: {
        sources: [
          ...taken.settled.sources,
          ...chapters.filter(({ isSettled }) => isSettled).flatMap(({ files }) => files),
        ],
        lines: [
          ...taken.settled.lines,
          ...settled.map(([first, last]): [number, number] => [first + before, last + before]),
        ],
      },
    },
    ...(isProven ? { validated_md_path: pointer, validated_files } : {}),
  };
}

/** Joins chapters; a blank line separates those that did not follow each other. Ranges of lines count from 0. */
function joined(chapters: TakenOver['chapters'], lines: string[]) {
  const text: string[] = [];
  const settled: [first: number, last: number][] = [];
  const endParagraph = () => {
    while (text.at(-1) === '') text.pop();
  };
  let end = 0;
  for (const chapter of chapters) {
    const [first, last] = chapter.lines;
    if (text.length > 0 && first !== end + 1) {
      endParagraph();
      text.push('');
    }
    if (chapter.isSettled) settled.push([text.length, text.length + last - first]);
    for (const line of lines.slice(first - 1, last)) text.push(line);
    end = last;
  }
  endParagraph();
  return { text, settled };
}
