import { withPrintOptions, createPrinter, type PrintOptions } from '#cli/commands/print-result.js';
import { translate } from '#cli/language.js';
import { createProgress } from '#cli/progress/progress.js';
import type { Work } from '#cli/stack/with-service.js';
import { unwrap } from '#contracts/api/responses.js';
import { phrase } from '#contracts/phrases/phrase.js';
import type { Command } from 'commander';
import { endBar, listCollections, renderSources, requireCollection, showBar } from './describe-source.js';
import { listSources, type Source, untilSettled } from './upload-sources.js';

interface Reindexed {
  /** Number of sources that are or would be reindexed. */
  sources: number;
  dry_run: boolean;
  /** Whether the command waited until the sources were indexed. */
  done: boolean;
  failed: Source[];
}

/** `scriptorium reindex`: indexes all sources again, or the sources of one collection. */
export function registerReindex(command: Command): void {
  command
    .option('-c, --collection <name>', 'only this collection (name or ID)')
    .option('--dry-run', 'only count the sources', false);
  withPrintOptions(command, 'print JSON').action(reindex);
}

const printed = createPrinter(createProgress(), phrase('cli_error.reindexed_later'));

/** A service that runs on its own goes on indexing; a stack of the command would end with it, so the command waits. */
async function reindex({
  collection,
  dryRun: dry_run,
  ...options
}: PrintOptions & { collection?: string; dryRun: boolean }): Promise<void> {
  const work = async ({ client, connection, signal }: Work): Promise<Reindexed> => {
    const only = collection === undefined ? undefined : await requireCollection(client, collection);
    const body = { ...(only && { collections: [only.id] }), dry_run };
    const { sources } = await unwrap(client.POST('/api/knowledge/reindex', { body }));
    if (dry_run || !connection.ownStack) return { sources, dry_run, done: false, failed: [] };
    const within = only ? [only] : await listCollections(client);
    const list = async () => (await Promise.all(within.map(({ id }) => listSources(client, id)))).flat();
    const settled = await untilSettled(list, showBar, signal);
    endBar();
    const failed = settled.filter(({ state }) => state === 'failed');
    if (failed.length > 0) process.exitCode = 1;
    return { sources, dry_run, done: true, failed };
  };
  await printed(options, work, render);
}

function render({ sources: count, dry_run, done, failed }: Reindexed): string {
  const code = dry_run ? 'out.to_reindex' : done ? 'out.reindexed_done' : 'out.reindexed';
  return `${translate(phrase(code, { count }))}\n${renderSources(failed)}`;
}
