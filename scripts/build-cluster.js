import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** No crash has to be survived, and the log that each new data directory gets should be short. */
const SETTINGS = { fsync: 'off', full_page_writes: 'off', wal_init_zero: 'off', wal_recycle: 'off' };

/**
 * Makes the template of new data directories (libs/embedded/postgres-home.ts) below dist/, unless it is up to
 * date. If PostgreSQL is not installed or cannot run here, initdb creates their clusters.
 *
 * @param {string} root of the checkout, with dist/ compiled
 */
export async function buildCluster(root) {
  const load = (file) => import(pathToFileURL(join(root, 'dist/libs', file)).href);
  const { templateName, templatesDir } = await load('embedded/postgres-home.js');
  const { locateBinaries } = await load('embedded/postgres-binaries.js');
  const binaries = await locateBinaries().catch(() => undefined);
  if (!binaries) return;
  const template = join(templatesDir(), await templateName(binaries));
  if (existsSync(template)) return;
  await makeTemplate(root, template, load).catch((error) =>
    console.warn(`New data directories start more slowly, because no template was made: ${error.message}`),
  );
}

async function makeTemplate(root, template, load) {
  const { copyCluster } = await load('embedded/postgres-home.js');
  remove(dirname(template));
  const folder = mkdtempSync(join(tmpdir(), 'scriptorium-cluster-'));
  // As root, PostgreSQL runs under another account, which needs to traverse this folder.
  chmodSync(folder, 0o711);
  try {
    const home = await migratedHome(root, folder, load);
    mkdirSync(dirname(template));
    copyCluster(join(home, 'cluster'), `${template}.new`);
    renameSync(`${template}.new`, template);
    rmSync(home, { recursive: true });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Removes a folder; whoever is copying from it fails immediately, instead of missing some of its files. */
function remove(folder) {
  const aside = `${folder}.old`;
  rmSync(aside, { recursive: true, force: true });
  if (existsSync(folder)) renameSync(folder, aside);
  rmSync(aside, { recursive: true, force: true });
}

/** Returns the folder with a stopped cluster, which as root may be elsewhere than `dataDir`. */
async function migratedHome(root, dataDir, load) {
  const { startPostgres } = await load('embedded/postgres.js');
  const { withClient } = await load('embedded/postgres-server.js');
  const { migrate } = await load('db/migrate.js');
  const server = await startPostgres({ dataDir, settings: SETTINGS });
  try {
    await migrate(server.url, join(root, 'prisma/migrations'));
    // Leaves one, nearly empty, file of the log.
    await withClient(server.url, (client) => client.query('SELECT pg_switch_wal()'));
    await server.own.checkpoint();
  } finally {
    await server.stop();
  }
  return server.own.dir;
}
