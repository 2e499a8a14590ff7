import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ARCHITECTURE = readFileSync(join(process.cwd(), 'docs/ARCHITECTURE.md'), 'utf8');

export const MODEL_CALL = 'From `POST /api/agents/runs` to the first call of the model';
export const ANSWER = 'From an answer to the graph that continues';

/** Returns a walk of docs/ARCHITECTURE.md: its files in order, and the numbers that its heading states. */
export function readWalk(heading: string) {
  const [title = '', table = ''] = ARCHITECTURE.slice(ARCHITECTURE.indexOf(`**${heading}`)).split('\n\n');
  const files = [...table.matchAll(/^\| `(libs\/[^`]+)` \| (.+) \|$/gm)].flatMap(([, folder, cell]) =>
    [...cell!.matchAll(/`([\w-]+\.(?:\w+\.)?ts)`/g)].map(([, name]) => `${folder}${name}`),
  );
  const stated = /\((\d+) files, (\d+) changes of folder\)/.exec(title)?.slice(1).map(Number);
  return { files, stated };
}
