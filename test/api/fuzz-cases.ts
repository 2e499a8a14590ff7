/** Query values that prevent the request from waiting until its time limit. */
export const QUICK: Record<string, Record<string, unknown>> = { startRun: { sync: '0' } };

/** Bodies whose fields must be consistent, given existing IDs. */
export const FITTING: Record<string, (ids: Record<string, string>) => object> = {
  startRun: () => ({
    kind: 'document',
    mode: undefined,
    project_id: undefined,
    inputs: {},
    on_conflict: 'enqueue',
  }),
  chatStream: () => ({
    thread_id: undefined,
    mode: undefined,
    inputs: { topic: 'Fuzzed' },
    budget: {},
    after: undefined,
  }),
  createSchedule: ({ idle_session_id }) => ({
    start: { session_id: idle_session_id },
    cron: '0 3 * * *',
    every_seconds: undefined,
    time_zone: 'Europe/Warsaw',
    until: undefined,
  }),
  previewSchedule: () => ({
    cron: undefined,
    every_seconds: 3_600,
    time_zone: undefined,
    until: undefined,
  }),
  addSecret: () => ({ hosts: ['api.example.com'] }),
  importReferences: () => ({ text: '@book{fuzzed, title = {Fuzzed}}' }),
  changePlanHosts: () => ({ hosts: ['api.example.com'] }),
  startPlan: ({ idle_session_id }) => ({
    session_id: idle_session_id,
    intent: undefined,
    dag: undefined,
    template: 'list_files',
    parameters: undefined,
    config: {},
    on_conflict: undefined,
  }),
};

/** Operations that need more than a session with an idle run, and what they need. */
export const NEEDS: Record<string, string> = {
  getManuscript: 'a manuscript',
  getManuscriptLines: 'a manuscript',
  getImage: 'the name of an image',
  getLedger: 'a manuscript',
  getSourceText: 'an indexed source',
  addTranscript: 'the operator’s leave',
  getFingerprint: 'an indexed text',
  compareWithCorpus: 'an indexed text',
  diffManuscripts: 'a manuscript',
  exportAsBase64: 'an export',
  orderInputs: 'a session without an active run',
  runStep: 'a checkpoint',
  restoreSession: 'a checkpoint',
  forkSession: 'a checkpoint',
  promoteFork: 'a fork',
  giveEarlyAnswer: 'a run that is not cancelled',
  listRevisionChanges: 'numbers of versions',
  restoreChapterVersion: 'the number of a version',
  decideParagraphs: 'the id of a change',
  changeChapterFinding: 'a review with findings',
  changeDecisionFinding: 'a question with findings',
  chapterImpact: 'numbers of versions',
  proposeChange: 'a model',
  assistProfile: 'a model',
  getChange: 'a run that changes a selection',
  createWebhook: 'a host whose name resolves',
  setModelEndpoint: 'a host whose name resolves',
  checkModel: 'a model',
  getPlanResult: 'a task that was done',
  chatResume: 'a question that waits',
};
