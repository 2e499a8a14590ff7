import { projectRoot } from '#embedded/project-root.js';
import { honestIntroductions, inventedLines, type CarriedFolder, type OwnLine } from '#testing/own-lines.js';
import { writeOffline } from '#testing/write-offline.js';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildLedger, ledgerIssues } from '../ledger.js';

const FOLDERS = ['incident', 'handover', 'article/corpus', 'article/corpus-pl', 'book'];
const SEEDS = [1, 2026, 77_003];

async function carried(name: string): Promise<CarriedFolder> {
  const folder = join(projectRoot(), 'examples', name);
  const names = readdirSync(folder).filter((file) => !file.endsWith('.png'));
  const sources = names.map((file) => ({ name: file, text: readFileSync(join(folder, file), 'utf8') }));
  const { manuscript } = await writeOffline(
    Object.fromEntries(sources.map((source) => [source.name, source.text])),
  );
  return { manuscript, sources };
}

function isReported({ manuscript, sources, line }: OwnLine): boolean {
  const ledger = buildLedger(manuscript, sources, { policy: 'verbatim' });
  return ledgerIssues(ledger).some((issue) => issue.line_number === line);
}

describe('lines that a manuscript adds', () => {
  let folders: CarriedFolder[];
  beforeAll(async () => {
    folders = await Promise.all(FOLDERS.map(carried));
  });

  it('X15 has examples that carry their sources and need no repair', () => {
    for (const { manuscript, sources } of folders)
      expect(ledgerIssues(buildLedger(manuscript, sources, { policy: 'verbatim' }))).toEqual([]);
  });

  it.each(SEEDS)('X15 reports at least 97 of 100 invented sentences and headings (seed %i)', (seed) => {
    const missed = inventedLines(folders, 100, seed).filter((line) => !isReported(line));
    expect(missed.map(({ text }) => text).slice(3)).toEqual([]);
  });

  it.each(SEEDS)('X15 reports at most 4 of 200 honest introductions in three languages (seed %i)', (seed) => {
    const refused = honestIntroductions(folders, 200, seed).filter(isReported);
    expect(refused.map(({ text }) => text).slice(4)).toEqual([]);
  });
});
