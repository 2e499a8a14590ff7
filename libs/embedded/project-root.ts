import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Returns the folder of the checkout, whether this file runs from its sources or from dist/. */
export function projectRoot(): string {
  for (let folder = import.meta.dirname; folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return folder;
  }
  throw new Error(`No package.json found above ${import.meta.dirname}`);
}
