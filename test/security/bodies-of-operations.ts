import { MISSING_IMAGE } from '#testing/examples.js';

type Body = () => unknown;
const anUpload: Body = () => {
  const form = new FormData();
  form.append('file', new Blob(['# Stolen\n']), 'stolen.md');
  return form;
};

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

/** A body that the operation would accept if the ID were the tenant's own. */
export const bodies: Record<string, Body> = {
  changeSession: () => ({ title: 'Stolen' }),
  uploadInputs: anUpload,
  startReview: anUpload,
  decideProposals: () => ({ state: 'accepted', all: true }),
  decideSessionProposals: () => ({ state: 'accepted', all: true }),
  exportDocument: () => ({ title: 'Stolen' }),
  orderInputs: () => ({ names: [] }),
  createShare: () => ({ result: { kind: 'document', name: 'manuscript' }, until: inAnHour() }),
  createComment: () => ({ text: 'Stolen' }),
  changeComment: () => ({ is_resolved: true }),
  rotateKey: () => ({ grace_seconds: 60 }),
  giveEarlyAnswer: () => ({ decision_type: 'question', answer: { text: 'stolen' } }),
  restoreSession: () => ({ run_id: 'run_0', checkpoint_id: 'x.md' }),
  forkSession: () => ({ run_id: 'run_0', checkpoint_id: 'x.md' }),
  promoteFork: () => ({ fork_session_id: 'ses_0' }),
  changeSchedule: () => ({ is_paused: true, name: 'Stolen' }),
  rotateWebhook: () => ({ grace_seconds: 60 }),
  changeBookProject: () => ({ title: 'Stolen words' }),
  assistProfile: () => ({ messages: [{ role: 'user', content: 'finalize' }] }),
  uploadBookSources: anUpload,
  changeBookSource: () => ({ title: 'Stolen' }),
  addBookSource: () => ({ title: 'Stolen', content: 'Words.' }),
  createChapterOfProject: () => ({ title: 'Stolen' }),
  changeChapter: () => ({ title: 'Stolen' }),
  restoreChapterVersion: () => ({ version: 1 }),
  decideParagraphs: () => ({ from: 1, to: 1, decisions: [{ change_id: 'x', accepted: true }] }),
  changeChapterFinding: () => ({ overruled: { reason: 'Stolen' } }),
  changeDecisionFinding: () => ({ overruled: { reason: 'Stolen' } }),
  changeCollection: () => ({ name: 'stolen' }),
  addTranscript: () => ({ url: 'https://www.youtube.com/watch?v=aqz-KE-bpKQ' }),
  syncCollection: () => ({}),
  deliverEvent: () => ({}),
  addSources: () => ({ name: 'stolen', text: 'stolen' }),
  changeSource: () => ({ priority: 'primary' }),
  importReferences: () => ({ text: '@book{stolen, title = {Stolen}}' }),
  changeMcpServer: () => ({ allowed_tools: [] }),
  changeSecret: () => ({ hosts: ['stolen.example'], value: 'stolen-value' }),
  approveMcpTools: () => ({ tools: ['stolen'] }),
  addSavedPlanVersion: () => ({ dag: { tasks: [{ id: 'list', tool: 'list_inputs' }] } }),
  runSavedPlan: () => ({}),
  runPlanAgain: () => ({}),
  commandPlan: () => ({ type: 'abort' }),
  answerDecision: () => ({ user_decisions: { [MISSING_IMAGE]: 'skip' } }),
};
