import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** A change of the sources: a new file, or text that is inserted before or after existing text of a file. */
export type SourceChange = { file: string; text: string } & ({ before?: string } | { after?: string });

/** A copy of the sources that can be changed and built. */
export interface CopiedCheckout {
  /** Folder of the compiled apps. */
  appsDir: string;
  /** Applies changes in order. @throws Error if a file lacks the text of a change */
  change(changes: readonly SourceChange[]): Promise<void>;
  /**
   * Checks the types of service and studio, and builds both, with the packages of the checkout.
   *
   * @throws Error with the compiler's messages
   */
  build(): Promise<void>;
  remove(): Promise<void>;
}

/** Folders and files that the build reads or writes. */
const BUILT = ['apps', 'libs', 'prisma', 'scripts', 'examples', 'dist', 'package.json', 'package-lock.json'];
const CONFIGURED = ['tsconfig.json', 'tsconfig.build.json', 'nest-cli.json'];

/** Copies what the build needs of a checkout. @param root the checkout, built */
export async function copyCheckout(root: string): Promise<CopiedCheckout> {
  const copy = await mkdtemp(join(tmpdir(), 'scriptorium-checkout-'));
  const remove = () => rm(copy, { recursive: true, force: true });
  const run = (...args: string[]) =>
    execute(process.execPath, args, { cwd: copy }).catch((error: unknown) => {
      const { stdout, stderr } = error as { stdout: string; stderr: string };
      throw new Error(`${args.join(' ')}\n${stdout}${stderr}`);
    });
  try {
    for (const entry of [...BUILT, ...CONFIGURED])
      await cp(join(root, entry), join(copy, entry), { recursive: true, preserveTimestamps: true });
    await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
  } catch (error) {
    await remove();
    throw error;
  }
  return {
    appsDir: join(copy, 'dist/apps'),
    change: async (changes) => {
      for (const change of changes) await apply(copy, change);
    },
    build: async () => {
      await run('node_modules/typescript/bin/tsc', '-p', 'apps/studio');
      await run('node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json');
      await run('scripts/build-studio.js');
    },
    remove,
  };
}

async function apply(root: string, { file, text, ...place }: SourceChange): Promise<void> {
  const path = join(root, file);
  const { before, after } = place as { before?: string; after?: string };
  const anchor = before ?? after;
  if (anchor === undefined) {
    await mkdir(dirname(path), { recursive: true });
    return writeFile(path, text, { flag: 'wx' });
  }
  const source = await readFile(path, 'utf8');
  const at = source.indexOf(anchor);
  if (at < 0) throw new Error(`${file} lacks ${anchor}`);
  const position = before === undefined ? at + anchor.length : at;
  await writeFile(path, source.slice(0, position) + text + source.slice(position));
}
