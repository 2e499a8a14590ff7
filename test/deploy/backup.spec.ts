import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';

const root = process.cwd();
const read = (path: string) => readFileSync(join(root, path), 'utf8');

describe('back-up and restore', () => {
  let folder: string;
  const at = (path: string) => join(folder, path);
  const linesOf = (path: string) => (existsSync(at(path)) ? readFileSync(at(path), 'utf8').split('\n') : []);

  /** Puts a program with this name first in PATH that records its arguments in the file `calls`. */
  function makeProgram(name: string, body: string): void {
    writeFileSync(at(`bin/${name}`), `#!/bin/sh\necho "${name} $*" >>"$CALLS"\n${body}\n`);
    chmodSync(at(`bin/${name}`), 0o755);
  }
  const run = (command: string, env: Record<string, string> = {}) =>
    spawnSync('sh', ['-c', command], {
      encoding: 'utf8',
      env: { PATH: `${at('bin')}:${process.env['PATH']}`, CALLS: at('calls'), ...env },
    });

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'scriptorium-backup-'));
    mkdirSync(at('bin'));
    mkdirSync(at('live/tenants'), { recursive: true });
    writeFileSync(at('live/tenants/a.md'), '# A\n');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  describe('by the scripts', () => {
    const env = () => ({ DATABASE_URL: 'postgres://u@h/d', STORAGE_DIR: at('restored') });
    const restore = (more: Record<string, string> = {}) =>
      run(`sh ${join(root, 'deploy/restore.sh')} ${at('backup')}`, { ...env(), ...more });
    beforeEach(() => {
      makeProgram('pg_dump', '[ -z "$OLD" ] && echo dump >"${4#--file=}"');
      // Answers the questions about tables and the role.
      makeProgram('psql', 'case "$*" in *pg_tables*) echo 0 ;; *pg_has_role*) echo "$ROLE" ;; esac');
      makeProgram('pg_restore', 'case "$*" in *--list*) ;; *) [ -z "$BROKEN" ] ;; esac');
      const made = run(`sh ${join(root, 'deploy/backup.sh')} ${at('backup')}`, {
        ...env(),
        STORAGE_DIR: at('live'),
      });
      expect(made).toMatchObject({ status: 0 });
    });

    it('restores the role, the database and then the objects', () => {
      expect(restore({ ROLE: 'to make' })).toMatchObject({ status: 0, stderr: '' });
      expect(readFileSync(at('restored/tenants/a.md'), 'utf8')).toBe('# A\n');
      expect(readdirSync(at('restored'))).toEqual(['tenants']);
      const calls = linesOf('calls').join('\n');
      expect(calls).toMatch(/CREATE ROLE[\s\S]*GRANT[\s\S]*pg_restore --no-owner/);
    });

    it('does not start while the role is missing, and can be repeated', () => {
      const refused = restore({ ROLE: 'missing' });
      expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining('CREATE ROLE') });
      expect(existsSync(at('restored'))).toBe(false);
      expect(restore({ ROLE: 'ready' })).toMatchObject({ status: 0, stderr: '' });
    });

    it('can be repeated if restoring the database failed', () => {
      expect(restore({ ROLE: 'ready', BROKEN: '1' }).status).not.toBe(0);
      expect(restore({ ROLE: 'ready' })).toMatchObject({ status: 0, stderr: '' });
      expect(readdirSync(at('restored'))).toEqual(['tenants']);
    });

    it('rejects a folder that is not empty, without changing it', () => {
      mkdirSync(at('restored'));
      writeFileSync(at('restored/other'), '');
      expect(restore({ ROLE: 'ready' })).toMatchObject({
        status: 1,
        stderr: expect.stringContaining('not empty'),
      });
      expect(readdirSync(at('restored'))).toEqual(['other']);
      expect(linesOf('calls').filter((line) => line.startsWith('pg_restore --no-owner'))).toEqual([]);
    });

    it('removes a back-up that failed', () => {
      const failed = run(`sh ${join(root, 'deploy/backup.sh')} ${at('second')}`, { ...env(), OLD: '1' });
      expect(failed.status).not.toBe(0);
      expect(existsSync(at('second'))).toBe(false);
    });
  });

  describe('of the containers, by the commands of docs/OPERATIONS.md', () => {
    interface Service {
      user: string;
      volumes?: string[];
      environment: Record<string, string>;
    }
    const { services } = parse(read('docker-compose.yml'), { merge: true }) as {
      services: Record<string, Service>;
    };
    const section = read('docs/OPERATIONS.md').split('### The containers\n')[1]!.split('\n## ')[0]!;
    const [backup, restore] = [...section.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block]) =>
      block!.replaceAll('/backups/2026-11-22', '"$FOLDER"'),
    ) as [string, string];

    beforeEach(() => {
      // Runs the commands of the container "migrate", with its volume at $DATA; the database programs are stubs.
      makeProgram(
        'docker',
        `case "$*" in
          *"\${FAILING:-nothing fails}"*) exit 1 ;;
          *pg_dump*) echo dump ;;
          *pg_restore*) grep -q '^dump$' ;;
          *'--entrypoint tar'*)
            shift 8
            for word; do shift; set -- "$@" "$(echo "$word" | sed "s|^/data$|$DATA|")"; done
            exec tar "$@" ;;
        esac`,
      );
    });

    it('are saved and restored', () => {
      mkdirSync(at('restored'));
      expect(run(backup, { FOLDER: at('backup'), DATA: at('live') })).toMatchObject({
        status: 0,
        stderr: '',
      });
      expect(run(restore, { FOLDER: at('backup'), DATA: at('restored') })).toMatchObject({
        status: 0,
        stderr: '',
      });
      expect(readFileSync(at('restored/tenants/a.md'), 'utf8')).toBe('# A\n');
      expect(execFileSync('stat', ['-c', '%a', at('backup')], { encoding: 'utf8' }).trim()).toBe('700');
    });

    it.each(['pg_dump', '--create'])('have no checksums if %s failed', (part) => {
      expect(run(backup, { FOLDER: at('backup'), DATA: at('live'), FAILING: part }).status).not.toBe(0);
      expect(existsSync(at('backup/SHA256SUMS'))).toBe(false);
    });

    it('use the services, users, databases and folders of docker-compose.yml', () => {
      const { database, migrate, store } = services as Record<'database' | 'migrate' | 'store', Service>;
      const commands = `${backup}${restore}`.replace(/\\\n/g, ' ').match(/docker compose [^&|<>\n]+/g)!;
      expect(commands).toHaveLength(8);
      for (const command of commands) {
        const inDatabase = /exec -T (\w+) (?:pg_dump|pg_restore|psql) --username (\w+) (.*)/.exec(command);
        if (inDatabase) {
          expect(inDatabase[1]).toBe('database');
          expect(inDatabase[2]).toBe(database.environment['POSTGRES_USER']);
          expect(inDatabase[3]).toMatch(new RegExp(`\\b${database.environment['POSTGRES_DB']}\\b`));
        } else if (command.includes(' run ')) {
          expect(command).toMatch(
            /run --rm -T --no-deps --entrypoint tar migrate --(create|extract) .*--directory \/data( \.)? *$/,
          );
        } else expect(command.trim()).toMatch(/^docker compose (build|up --detach --wait( database)?)$/);
      }
      // As the store writes them, and as it may read them.
      expect(migrate.volumes).toEqual(['objects:/data']);
      expect(store.volumes).toEqual(migrate.volumes);
      expect(store.user).toBe(migrate.user);
    });
  });
});
