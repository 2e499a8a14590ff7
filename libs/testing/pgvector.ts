import { chmodSync, cpSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Installation of PostgreSQL 18 with pgvector, the extension that the embedded server lacks but can load. */
const INSTALLED = process.env['SCRIPTORIUM_TEST_PGVECTOR'];

export const hasPgvector = INSTALLED !== undefined && INSTALLED !== '';

/**
 * Copies pgvector into a folder where a server of any account can read it.
 *
 * @returns the settings with which `startPostgres` finds it
 */
export function pgvectorIn(folder: string): Record<string, string> {
  const [library, control] = [join(folder, 'lib'), join(folder, 'share', 'extension')];
  mkdirSync(library, { recursive: true });
  mkdirSync(control, { recursive: true });
  cpSync(join(INSTALLED!, 'lib/postgresql/vector.so'), join(library, 'vector.so'));
  const extensions = join(INSTALLED!, 'share/postgresql/extension');
  for (const name of readdirSync(extensions).filter((one) => /^vector\b/.test(one)))
    cpSync(join(extensions, name), join(control, name));
  for (const path of [folder, library, join(folder, 'share'), control]) chmodSync(path, 0o755);
  return {
    extension_control_path: `$system:${join(folder, 'share')}`,
    dynamic_library_path: `$libdir:${library}`,
  };
}
