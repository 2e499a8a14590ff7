import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Code of a file of dist/ that is replaced in a copy. */
export interface Replacement {
  file: string;
  from: RegExp;
  to: string;
}

/** A copy of the compiled product. */
export interface CopiedApps {
  /** The folder of its apps. */
  appsDir: string;
  remove: () => Promise<void>;
}

/**
 * Copies the compiled product, with some of its code replaced.
 *
 * @param root the checkout
 * @throws Error when code to replace is not there
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
