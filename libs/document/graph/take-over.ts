import type { DocumentPorts } from './ports.js';
import type { TaskInput } from '#catalogue/tasks.js';
import type { KeptChapter } from './kept-chapters.worker.js';
import { dueChapters, type DocumentState } from './state.js';

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
  if (taken === null) return {};
  const written = new Set(files_written);
  const isLater = ({ due }: KeptChapter) => isProven && due.some((name) => !written.has(name));
  const all = dueChapters(taken);
  const next = all.findIndex(isLater);
  const chapters = next < 0 ? all : all.slice(0, next);
  const appended = (taken.appended ?? 0) + chapters.length;
  const taken_over = { ...taken, appended, ...(isProven ? { proven: appended } : {}) };
  if (chapters.length === 0) return { taken_over };
  const text = joined(chapters, await manuscripts.lines(taken.manuscript));
  const { pointer, outline } = await manuscripts.append(temp_md_path, `${text.join('\n')}\n`);
  const due = new Set(dueChapters(taken_over).flatMap(({ files }) => files));
  const carried = taken.kept.filter((name) => !due.has(name));
  const validated_files = [...new Set([...state.validated_files, ...carried])];
  return {
    temp_md_path: pointer,
    document_outline: outline,
    files_read: carried,
    files_written: [...new Set([...written, ...carried])],
    taken_over,
    ...(isProven ? { validated_md_path: pointer, validated_files } : {}),
  };
}

/**
 * Returns the sources and lines about which people have decided, so that no issue of them counts: those of the chapters
 * that the manuscript has as they were taken over. Other chapters may have moved them.
 */
export async function settledIn(
  { manuscripts }: Pick<DocumentPorts, 'manuscripts'>,
  { taken_over: taken, temp_md_path }: DocumentState,
): Promise<TaskInput<'validate_md'>['settled']> {
  const settled = { sources: [] as string[], lines: [] as [number, number][] };
  const chapters = taken?.chapters.slice(0, taken.appended ?? 0).filter(({ isSettled }) => isSettled) ?? [];
  if (taken === null || chapters.length === 0 || temp_md_path === null) return settled;
  const blockOf = (lines: string[]) => `\n${lines.map((line) => line.trimEnd()).join('\n')}\n`;
  const earlier = await manuscripts.lines(taken.manuscript);
  const text = blockOf(await manuscripts.lines(temp_md_path));
  let from = 0;
  for (const chapter of chapters) {
    const lines = joined([chapter], earlier);
    const at = lines.length === 0 ? -1 : text.indexOf(blockOf(lines), from);
    if (at < 0) continue;
    const first = text.slice(0, at + 1).split('\n').length - 1;
    settled.sources.push(...chapter.files);
    settled.lines.push([first, first + lines.length - 1]);
    from = at + 1;
  }
  return settled;
}

/** Joins chapters; a blank line separates those that did not follow each other. */
function joined(chapters: KeptChapter[], lines: string[]): string[] {
  const text: string[] = [];
  const endParagraph = () => {
    while (text.at(-1) === '') text.pop();
  };
  let end = 0;
  for (const {
    lines: [first, last],
  } of chapters) {
    if (text.length > 0 && first !== end + 1) {
      endParagraph();
      text.push('');
    }
    for (const line of lines.slice(first - 1, last)) text.push(line);
    end = last;
  }
  endParagraph();
  return text;
}
