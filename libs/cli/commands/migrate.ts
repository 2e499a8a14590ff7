import { translate } from '../language.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { readSecretFiles } from '#config/secret-files.js';
import { migrate } from '#db/migrate.js';
import { projectRoot } from '#embedded/project-root.js';
import type { Command } from 'commander';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { CliError } from '../cli-error.js';
import { sayOnTerminal } from '../progress/line-progress.js';

const RETRY_MS = 1_000;
/** Error codes of a server that is unreachable or still starting (57P03). */
const NOT_YET = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', '57P03']);

/** `scriptorium migrate`: applies the migrations of this version to DATABASE_URL, before the apps start. */
export function registerMigrate(command: Command): void {
  command
    .option('--wait <seconds>', 'how long to wait until PostgreSQL accepts connections', Number, 30)
    .action(({ wait }: { wait: number }) => applyMigrations(wait));
}

async function applyMigrations(waitSeconds: number): Promise<void> {
  const { environment, problems } = readSecretFiles(process.env);
  if (problems.length > 0) throw new CliError(problems.join('\n'));
  const url = environment['DATABASE_URL'];
  if (!url) throw new CliError(phrase('cli_error.database_to_migrate'));
  sayOnTerminal(phrase('cli.checking_database'));
  const applied = await whenReachable(
    () => migrate(url, join(projectRoot(), 'prisma/migrations')),
    Date.now() + waitSeconds * 1000,
  );
  process.stdout.write(
    `${translate(
      applied.length > 0
        ? phrase('out.migrations_applied', { names: applied.join(', ') })
        : phrase('out.up_to_date'),
    )}\n`,
  );
}

async function whenReachable<T>(work: () => Promise<T>, deadline: number): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!NOT_YET.has(String((error as { code?: unknown }).code)) || Date.now() > deadline) throw error;
      await delay(RETRY_MS);
    }
  }
}
