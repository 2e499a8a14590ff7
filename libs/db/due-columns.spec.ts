import { projectRoot } from '#embedded/project-root.js';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What would write the clock of a process there. */
const OWN_CLOCK = /\b(?:nextAt|dueAt|scannedAt|scannedUntil): new Date\(\)/;

/** Columns that the database's clock is compared with, to tell what is due. */
const DUE = /@map\("(?:next_at|due_at|scanned_at|scanned_until)"\)/;

describe('C12 columns with the time at which work is due', () => {
  // Prisma would write now() of its own process, whose clock may be ahead: what it adds would wait for that.
  it('have the clock of the database as their default', () => {
    const schema = readFileSync(join(projectRoot(), 'prisma/schema.prisma'), 'utf8').split('\n');
    const columns = schema.filter((line) => DUE.test(line) && line.includes('@default'));
    expect(columns.length).toBeGreaterThanOrEqual(5);
    expect(columns.filter((line) => !line.includes('dbgenerated("CURRENT_TIMESTAMP")'))).toEqual([]);
  });

  it('are never set by a repository from the clock of its process', () => {
    const folder = join(projectRoot(), 'libs/db/repositories');
    const files = readdirSync(folder).filter((name) => name.endsWith('.ts'));
    expect(files.length).toBeGreaterThan(5);
    expect(files.filter((name) => OWN_CLOCK.test(readFileSync(join(folder, name), 'utf8')))).toEqual([]);
  });
});
