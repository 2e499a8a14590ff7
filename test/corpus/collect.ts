import { readdir, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';

/** File extensions, used in turn to vary the corpus; "" means no extension (README, copyright, Makefile). */
const ENDINGS = [
  ...[
    '',
    '.md',
    '.txt',
    '.html',
    '.htm',
    '.docx',
    '.pdf',
    '.odt',
    '.ods',
    '.odp',
    '.rtf',
    '.xlsx',
    '.pptx',
    '.epub',
    '.eml',
    '.ipynb',
    '.srt',
    '.vtt',
    '.csv',
    '.tsv',
    '.rst',
    '.json',
    '.yaml',
    '.yml',
    '.toml',
  ],
  ...[
    '.py',
    '.js',
    '.ts',
    '.c',
    '.h',
    '.sh',
    '.sql',
    '.xml',
    '.css',
    '.log',
    '.conf',
    '.cfg',
    '.ini',
    '.tex',
    '.adoc',
    '.org',
  ],
  ...[
    '.markdown',
    '.pl',
    '.diff',
    '.patch',
    '.mjs',
    '.cjs',
    '.mts',
    '.po',
    '.el',
    '.lua',
    '.rb',
    '.go',
    '.rs',
    '.java',
    '.1',
  ],
];
const MAX_BYTES = 1_000_000;
const MAX_SEEN = 400_000;

/**
 * Returns paths of up to `count` files below the folders, spread over file types and folders; the same for the same
 * tree.
 */
export async function collect(folders: string[], count: number): Promise<string[]> {
  const byEnding = new Map<string, string[]>(ENDINGS.map((ending) => [ending, []]));
  let seen = 0;
  const pending = [...folders].reverse();
  for (let folder = pending.pop(); folder !== undefined && seen < MAX_SEEN; folder = pending.pop()) {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    entries.sort((a, b) => (a.name < b.name ? 1 : -1));
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) pending.push(path);
      else if (entry.isFile()) byEnding.get(extname(entry.name).toLowerCase())?.push(path);
      seen += 1;
    }
  }
  return take(
    [...byEnding.values()].filter((paths) => paths.length > 0),
    count,
  );
}

/** By turns one file of each kind; of a kind, files from all over the list. */
async function take(lists: string[][], count: number): Promise<string[]> {
  const queues = lists.map((paths) => spread(paths, count));
  const taken: string[] = [];
  while (taken.length < count && queues.some((queue) => queue.length > 0)) {
    for (const queue of queues) {
      const path = queue.shift();
      if (path === undefined || taken.length >= count) continue;
      const { size } = await stat(path).catch(() => ({ size: 0 }));
      if (size > 0 && size <= MAX_BYTES) taken.push(path);
    }
  }
  return taken;
}

/** The list in steps that halve: its middle, its quarters, its eighths. */
function spread(paths: string[], count: number): string[] {
  const order = new Set<number>();
  for (let parts = 1; order.size < Math.min(count, paths.length) && parts <= paths.length * 2; parts *= 2)
    for (let part = 0; part < parts; part++) order.add(Math.floor(((part + 0.5) * paths.length) / parts));
  return [...order].map((index) => paths[index] as string);
}
