import { folderOf } from '#contracts/source-name.js';
import { sourceForm } from '#verbatim/source/form.js';
import { languageByName } from '../offline/sources/languages.js';
import type { FileSizes } from '../contract/tasks.js';
import { unplacedLines, type Progress } from '../graph/progress.js';
import { openFiles } from '../graph/state.js';

/** A text input or a folder in a work order, with its kind and size for the model. */
export interface ListedFile {
  name: string;
  written: boolean;
  /** Such as `log, 812 lines, 78 KB; not placed: 641-812`. */
  about: string;
}
export interface ListedFolder {
  name: string;
  /** Such as `120 files (14 open), 3400 lines, 120 KB: 100 ts, 20 markdown`. */
  about: string;
}

/** Text inputs in a work order: all of them while they are few, otherwise the next open ones, and all by folder. */
export interface SourceList {
  file_count: number;
  current_file: string | null;
  files: ListedFile[];
  files_complete: boolean;
  /** Empty if all files are listed. */
  folders: ListedFolder[];
}

interface Listed {
  text_files: string[];
  files_read: string[];
  files_written: string[] | null;
  file_sizes: FileSizes;
  progress: Pick<Progress, 'seen'>;
}

const LIMITS = { files: 60, folders: 40, ranges: 20, kinds: 6 };

/** Returns the text inputs for a work order; its length does not depend on their number. */
export function listSources(state: Listed): SourceList {
  const open = new Set(openFiles(state));
  const names = state.text_files;
  const complete = names.length <= LIMITS.files;
  const shown = complete ? names : names.filter((name) => open.has(name)).slice(0, LIMITS.files);
  return {
    file_count: names.length,
    current_file: names.find((name) => open.has(name)) ?? null,
    files: shown.map((name) => ({
      name,
      written: !open.has(name),
      about: aboutFile(name, open.has(name), state),
    })),
    files_complete: complete,
    folders: complete ? [] : listFolders(names, open, state.file_sizes),
  };
}

/** Kind of a file by its name: its language, or the form in which it is placed. */
export const kindByName = (name: string): string =>
  sourceForm(name) === 'markdown' ? 'markdown' : (languageByName(name)?.language ?? sourceForm(name));

function aboutFile(name: string, isOpen: boolean, { file_sizes, progress }: Listed): string {
  const size = file_sizes[name];
  const about = [kindByName(name), ...(size ? [sizeText(size)] : [])].join(', ');
  const left = isOpen ? unplacedLines(progress, name, size?.lines) : [];
  if (left.length === 0) return about;
  const ranges = left.slice(0, LIMITS.ranges).map(([first, last]) => `${first}-${last}`);
  const more = left.length > ranges.length ? ` and ${left.length - ranges.length} more ranges` : '';
  return `${about}; not placed: lines ${ranges.join(', ')}${more}`;
}

const sizeText = ({ bytes, lines }: FileSizes[string]): string =>
  `${lines} ${lines === 1 ? 'line' : 'lines'}, ${bytes < 1024 ? `${bytes} bytes` : `${Math.round(bytes / 1024)} KB`}`;

/** Groups all files by folder; while there are too many folders, the deepest are counted with their parents. */
function listFolders(names: string[], open: ReadonlySet<string>, sizes: FileSizes): ListedFolder[] {
  const depthOf = (folder: string) => (folder === '' ? 0 : folder.split('/').length);
  const foldersOf = (depth: number) =>
    groupsOf(names, (name) => folderOf(name).split('/').slice(0, depth).join('/'));
  let depth = Math.max(...names.map((name) => depthOf(folderOf(name))));
  let folders = foldersOf(depth);
  while (folders.size > LIMITS.folders && depth > 0) folders = foldersOf(--depth);
  return [...folders].map(([folder, files]) => ({
    name: folder === '' ? '.' : folder,
    about: aboutFolder(files, open, sizes),
  }));
}

function groupsOf(names: readonly string[], keyOf: (name: string) => string): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const name of names) {
    const group = groups.get(keyOf(name));
    if (group) group.push(name);
    else groups.set(keyOf(name), [name]);
  }
  return groups;
}

function aboutFolder(files: string[], open: ReadonlySet<string>, sizes: FileSizes): string {
  const total = { bytes: 0, lines: 0 };
  for (const name of files) {
    total.bytes += sizes[name]?.bytes ?? 0;
    total.lines += sizes[name]?.lines ?? 0;
  }
  const kinds = [...groupsOf(files, kindByName)].sort(([, a], [, b]) => b.length - a.length);
  const rest = kinds.slice(LIMITS.kinds).reduce((sum, [, { length }]) => sum + length, 0);
  const counts = [
    ...kinds.slice(0, LIMITS.kinds).map(([kind, { length }]) => `${length} ${kind}`),
    ...(rest === 0 ? [] : [`${rest} others`]),
  ];
  const left = files.filter((name) => open.has(name)).length;
  const size = total.lines === 0 ? '' : `, ${sizeText(total)}`;
  return `${files.length} files (${left} open)${size}: ${counts.join(', ')}`;
}
