import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compiledModule } from './compiled-module.js';

/** Libraries whose code decides which text and which pieces are found in a file. */
const LIBRARIES = ['extraction', 'inventory', 'markdown', 'office'];
const WORKER = new URL('./extract.worker.js', import.meta.url);
let version: string | undefined;

/**
 * Returns a hash of the compiled code that extracts texts and takes inventories, and of the versions of its packages: any
 * change of them makes earlier extractions invalid.
 */
export function extractionVersion(): string {
  if (version !== undefined) return version;
  const libs = fileURLToPath(new URL('../../', compiledModule(WORKER)));
  const hash = createHash('sha256').update(readFileSync(join(libs, '../../package.json')));
  for (const library of LIBRARIES)
    for (const name of (readdirSync(join(libs, library), { recursive: true }) as string[]).sort())
      if (name.endsWith('.js')) hash.update(name).update(readFileSync(join(libs, library, name)));
  return (version = hash.digest('hex'));
}
