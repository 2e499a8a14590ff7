import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Replacement of code in a file of dist/ within a copy. */
export interface Replacement {
  file: string;
  from: RegExp;
  to: string;
}

/** A copy of the compiled product. */
export interface CopiedApps {
  /** Folder of the apps. */
  appsDir: string;
  remove: () => Promise<void>;
}

/**
 * Copies the compiled product and replaces some of its code.
 *
 * @param root the checkout
 * @throws Error if code to be replaced is missing
 */
export async function copyApps(root: string, replaced: readonly Replacement[]): Promise<CopiedApps> {
  const copy = await mkdtemp(join(tmpdir(), 'scriptorium-copy-'));
  const remove = () => rm(copy, { recursive: true, force: true });
  try {
    await cp(join(root, 'dist'), join(copy, 'dist'), { recursive: true });
    for (const entry of ['package.json', 'prisma'])
      await cp(join(root, entry), join(copy, entry), { recursive: true });
    await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
    for (const { file, from, to } of replaced) {
      const path = join(copy, 'dist', file);
      const source = await readFile(path, 'utf8');
      if (!from.test(source)) throw new Error(`${file} has no ${from}`);
      await writeFile(
        path,
        source.replace(from, () => to),
      );
    }
    return { appsDir: join(copy, 'dist/apps'), remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
