import { projectRoot } from '#embedded/project-root.js';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const ROOT = join(projectRoot(), 'examples');

/** Returns the files of an example set by name. */
export function exampleFiles(set: 'incident' | 'handover' | 'book' | 'article'): Record<string, Uint8Array> {
  const folder = join(ROOT, set);
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const paths = files.map((entry) => join(entry.parentPath, entry.name)).sort();
  return Object.fromEntries(paths.map((path) => [relative(folder, path), readFileSync(path)]));
}

/** The missing image of the incident set, as referenced in its timeline. */
export const MISSING_IMAGE = 'pool-saturation.png';

/** A small valid PNG: one red pixel. */
export const TINY_PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

/** Returns two small files that make a run ask a question: the note refers to the missing image. */
export function askingFiles(): Record<string, Uint8Array> {
  const note = `# Timeline\n\nThe pool was full at 04:12.\n\n![Connection pool](${MISSING_IMAGE})\n`;
  return { '01-timeline.md': Buffer.from(note), 'dashboard.png': TINY_PNG };
}
