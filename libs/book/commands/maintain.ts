import { translate } from '#cli/language.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { readSecretFiles } from '#config/secret-files.js';
import { createDatabase, type Database } from '#db/client.js';
import { repairOwners, repairPriorities, repairZones, type RepairedRow } from '../store/maintenance.js';
import type { Command } from 'commander';
import { sayOnTerminal } from '#cli/progress/line-progress.js';
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
      .option('--dry-run', 'only show what would change', false)
      .option('--json', 'print JSON', false);
  sub('zones', "Move entries in the wrong zone of a book's metadata to the right one").action(
    (options: Options) => repair(options, repairZones),
  );
  sub('priorities', 'Replace unknown priorities of sources with valid ones').action((options: Options) =>
    repair(options, repairPriorities),
  );
  sub('owners', "Assign each book's rows to the tenant that owns the book's session")
    .requiredOption('--owner <tenant>', 'ID of the tenant that gets the rows, ten_…')
    .option('--confirm-owner <tenant>', 'the same tenant again; without it, nothing changes')
    .action(owners);
}

async function owners(options: Options & { owner: string; confirmOwner?: string }): Promise<void> {
  const { owner, confirmOwner, dryRun } = options;
  if (!dryRun && confirmOwner !== owner) throw new CliError(phrase('cli_error.confirm_owner', { owner }));
  await repair(options, (db, isDryRun) => repairOwners(db, owner, isDryRun));
}

async function repair(
  { dryRun, json }: Options,
  work: (db: Database, isDryRun: boolean) => Promise<RepairedRow[]>,
): Promise<void> {
  const { environment, problems } = readSecretFiles(process.env);
  if (problems.length > 0) throw new CliError(problems.join('\n'));
  const url = environment['DATABASE_URL'];
  if (!url) throw new CliError(phrase('cli_error.database_to_repair'));
  sayOnTerminal(phrase('cli.checking_database'));
  const db = createDatabase(url, 2);
  try {
    const mended = await work(db, dryRun);
    if (json) return void process.stdout.write(`${JSON.stringify({ dry_run: dryRun, mended })}\n`);
    for (const { id, what } of mended) process.stdout.write(`${id}  ${what}\n`);
    const count = { count: mended.length };
    const summary = dryRun ? phrase('out.rows_to_repair', count) : phrase('out.rows_repaired', count);
    process.stdout.write(`${translate(summary)}\n`);
  } finally {
    await db.$disconnect();
  }
}
