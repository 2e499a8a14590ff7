import { readSecretFiles } from '#config/secret-files.js';
import { createDatabase, type Database } from '#db/client.js';
import { mendOwners, mendPriorities, mendZones, type Mended } from '../store/maintenance.js';
import type { Command } from 'commander';
import { CliError } from '#cli/cli-error.js';

interface Options {
  dryRun: boolean;
  json: boolean;
}

/** `scriptorium maintain …`: repairs rows that older releases or other programs wrote (B24). */
export function registerMaintain(maintain: Command): void {
  const sub = (name: string, description: string) =>
    maintain
      .command(name)
      .description(description)
      .option('--dry-run', 'only tell what would be changed', false)
      .option('--json', 'as JSON', false);
  sub('zones', "Put what stands in the wrong zone of books' metadata where it belongs").action(
    (options: Options) => mend(options, mendZones),
  );
  sub('priorities', 'Give sources with an unknown priority one that counts').action((options: Options) =>
    mend(options, mendPriorities),
  );
  sub('owners', "Give the rows of books to the tenant who owns the books' sessions")
    .requiredOption('--owner <tenant>', 'the tenant that they come to, ten_…')
    .option('--confirm-owner <tenant>', 'the same tenant once more; without it nothing is changed')
    .action(owners);
}

async function owners(options: Options & { owner: string; confirmOwner?: string }): Promise<void> {
  const { owner, confirmOwner, dryRun } = options;
  if (!dryRun && confirmOwner !== owner)
    throw new CliError(
      `Look with --dry-run at what comes to ${owner}, then confirm it: --confirm-owner ${owner}. Nothing was changed.`,
    );
  await mend(options, (db, isDryRun) => mendOwners(db, owner, isDryRun));
}

async function mend(
  { dryRun, json }: Options,
  work: (db: Database, isDryRun: boolean) => Promise<Mended[]>,
): Promise<void> {
  const { environment, problems } = readSecretFiles(process.env);
  if (problems.length > 0) throw new CliError(problems.join('\n'));
  const url = environment['DATABASE_URL'];
  if (!url) throw new CliError('Set DATABASE_URL or DATABASE_URL_FILE to the database to mend.');
  const db = createDatabase(url, 2);
  try {
    const mended = await work(db, dryRun);
    if (json) return void process.stdout.write(`${JSON.stringify({ dry_run: dryRun, mended })}\n`);
    for (const { id, what } of mended) process.stdout.write(`${id}  ${what}\n`);
    process.stdout.write(`${mended.length} rows ${dryRun ? 'would be' : 'were'} mended.\n`);
  } finally {
    await db.$disconnect();
  }
}
