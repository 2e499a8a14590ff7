import { projectRoot } from '#embedded/project-root.js';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Expressions that would write the clock of a process. */
const OWN_CLOCK = /\b(?:nextAt|dueAt|scannedAt|scannedUntil): new Date\(\)/;

/** Columns that are compared with the database's clock to find due work. */
const DUE = /@map\("(?:next_at|due_at|scanned_at|scanned_until)"\)/;

describe('C12 columns with the time at which work is due', () => {
  // Prisma would write now() of its own process. If that clock is ahead, the row would be due too late.
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
