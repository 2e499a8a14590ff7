/**
 * A jest reporter that appends one JSON line to the file SCRIPTORIUM_TEST_REPORT when a spec file starts and one when it ends, so that the
 * report names the specs that were running when jest itself was killed. `.ci/part.js` reads it.
 *
 * Lines: `{ started }` and `{ ended, passed, failed: titles, skipped: titles, seconds }`; a file that could not run has its error in `failed`.
 */
import { appendFileSync } from 'node:fs';
import { relative, sep } from 'node:path';

export default class SpecReport {
  constructor({ rootDir }) {
    this.rootDir = rootDir;
    this.file = process.env.SCRIPTORIUM_TEST_REPORT;
    if (!this.file) throw new Error('SCRIPTORIUM_TEST_REPORT has to name the file of the report.');
  }

  onTestFileStart({ path }) {
    this.append({ started: this.nameOf(path) });
  }

  onTestFileResult({ path }, { testResults, testExecError, perfStats }) {
    const titlesOf = (status) =>
      testResults.filter((result) => result.status === status).map(({ fullName }) => fullName);
    this.append({
      ended: this.nameOf(path),
      passed: titlesOf('passed').length,
      failed: [...(testExecError ? [`did not run: ${firstLine(testExecError)}`] : []), ...titlesOf('failed')],
      skipped: [...titlesOf('pending'), ...titlesOf('todo')],
      seconds: (perfStats.end - perfStats.start) / 1000,
    });
  }

  nameOf(path) {
    return relative(this.rootDir, path).split(sep).join('/');
  }

  append(line) {
    appendFileSync(this.file, `${JSON.stringify(line)}\n`);
  }
}

const firstLine = ({ message }) => String(message).split('\n', 1)[0];
