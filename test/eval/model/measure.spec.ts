import { readRecording, writeRecording } from '#testing/recording.js';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repairsOf, tableOf } from './measure.js';
import type { Call } from './relay.js';

const call = (schema: string, text: string, asked = 'Task'): Call => ({
  request: {
    messages: [{ role: 'user', content: asked }],
    response_format: { json_schema: { name: schema } },
  } as unknown as Call['request'],
  status: 200,
  answer: { text },
  cached: 0,
  seconds: 1,
});
const validation = (passed: boolean, issue_count: number) => ({
  type: 'validation_ran',
  data: { passed, issue_count },
});

describe('the figures of a job', () => {
  it('count issues, findings, repairs and corrections, although the last validation has none', () => {
    const events = [validation(false, 3), validation(false, 1), validation(true, 0)];
    const calls = [
      call('review_chapter', '```json\n{"findings": [{}, {}], "scores": {}}\n```'),
      call('revise_chapter', '{"edits": []}'),
      call('draft_chapter', 'No {JSON}'),
      call('plan_chapter', '{}', 'Your answer cannot be used: it is empty.'),
    ];
    expect(repairsOf(events, calls)).toEqual({ findings: 6, repairs: 3, corrections: 1 });
  });

  it('are a table that can be compared with a stored one', () => {
    const table = tableOf(
      { chapter: { status: 'completed', calls: 7 }, plan: { status: 'completed', calls: 2 } },
      { chapter: { status: 'completed', calls: 9 }, article: { status: 'failed', calls: 4 } },
    );
    const rows = table.split('\n').map((line) => line.split(' | ').slice(0, 3));
    expect(rows.slice(2)).toEqual([
      ['| chapter', 'completed', '9 → 7'],
      ['| article', 'failed → –', '4 → –'],
      ['| plan', 'completed', '2'],
    ]);
  });

  it('of a recording are written into a folder that does not exist yet', () => {
    const folder = mkdtempSync(join(tmpdir(), 'recordings-'));
    try {
      const file = join(folder, 'new', 'job.json');
      writeRecording(file, { job: 'plan', about: 'By hand.', ends: {} }, [['== user']], [{ text: 'Fine.' }]);
      expect(readRecording(file).exchanges).toHaveLength(1);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
