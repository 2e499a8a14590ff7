import { relative } from 'node:path';
import type { Results } from '../commands/results.js';
import { percent } from './run-view.js';

/** A few lines that tell what was made and where it lies. */
export function renderSummary(results: Results, seconds: number): string {
  const { chapters, lines, coverage, files, model } = results;
  const carried = coverage === null ? '' : `, ${percent(coverage)} of the source lines carried`;
  return [
    `${chapters.length} chapter(s), ${lines} lines${carried}, written by ${model ?? 'an unnamed model'} in ${seconds.toFixed(1)} s`,
    ...Object.entries(files).map(([kind, file]) => `  ${kind.padEnd(6)} ${short(file)}`),
  ].join('\n');
}

/** A path the way a person would type it. */
function short(file: string): string {
  const near = relative(process.cwd(), file);
  return near.startsWith('..') ? file : near;
}
