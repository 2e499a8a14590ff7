import { AIMessage, HumanMessage, RemoveMessage, type BaseMessage } from '@langchain/core/messages';
import { END, MemorySaver, REMOVE_ALL_MESSAGES, START, StateGraph } from '@langchain/langgraph';
import {
  allFilesProcessed,
  buildInitialState,
  DocumentStateAnnotation,
  isFullyValidated,
  openReferences,
  type DocumentState,
  type DocumentUpdate,
} from './state.js';

/** The keys that the requirement names; the graph has more. */
const REQUIRED_KEYS =
  'session_id input_files current_file_index temp_md_path structure_json_path output_docx_path last_checkpoint_id ' +
  'current_chapter document_outline conversion_attempts last_error error_type retry_count missing_references ' +
  'user_decisions pending_question status messages validation_passed validation_issues generation_complete fix_attempts';

const initial = () => buildInitialState('ses_1', ['a.md', 'b.log', 'c.png'], ['a.md', 'b.log']);

/** The state after each of the updates, applied one a step by the graph's own reducers. */
async function afterUpdates(updates: DocumentUpdate[]): Promise<DocumentState> {
  let step = 0;
  const graph = new StateGraph(DocumentStateAnnotation)
    .addNode('apply', () => updates[step++] ?? {})
    .addEdge(START, 'apply')
    .addConditionalEdges('apply', () => (step < updates.length ? 'apply' : END), ['apply', END])
    .compile({ checkpointer: new MemorySaver() });
  return (await graph.invoke(initial(), { configurable: { thread_id: 't' } })) as DocumentState;
}

describe('DocumentState', () => {
  it('D1 has every key of the requirements, in one definition', () => {
    expect(Object.keys(DocumentStateAnnotation.spec)).toEqual(
      expect.arrayContaining(REQUIRED_KEYS.split(' ')),
    );
  });

  it('D3 buildInitialState sets every key of the annotation and no other', () => {
    expect(Object.keys(initial()).sort()).toEqual(Object.keys(DocumentStateAnnotation.spec).sort());
    expect(Object.values(initial())).not.toContain(undefined);
  });

  it('D3 starts with scanning, counters at 0 and empty lists', () => {
    const state = initial();
    expect(state).toMatchObject({
      status: 'scanning_assets',
      session_id: 'ses_1',
      input_files: ['a.md', 'b.log', 'c.png'],
      text_files: ['a.md', 'b.log'],
    });
    const { current_file_index, conversion_attempts, retry_count, fix_attempts, agent_steps } = state;
    expect([current_file_index, conversion_attempts, retry_count, fix_attempts, agent_steps]).toEqual([
      0, 0, 0, 0, 0,
    ]);
    const { messages, missing_references, validation_issues, document_outline, files_read } = state;
    expect([messages, missing_references, validation_issues, document_outline, files_read]).toEqual([
      [],
      [],
      [],
      [],
      [],
    ]);
  });

  it('D3 does not share lists between two runs', () => {
    initial().missing_references.push('x.png');
    expect(initial().missing_references).toEqual([]);
  });
});

describe('reducers', () => {
  it('D2 messages are appended, and removed by ID or all at once', async () => {
    const message = (id: string): BaseMessage => new AIMessage({ id, content: id });
    const appended = await afterUpdates([
      { messages: [message('1')] },
      { messages: [new HumanMessage('2')] },
    ]);
    expect(appended.messages.map(({ text }) => text)).toEqual(['1', '2']);
    const removed = await afterUpdates([
      { messages: [message('1'), message('2')] },
      { messages: [new RemoveMessage({ id: '1' }), message('3')] },
    ]);
    expect(removed.messages.map(({ id }) => id)).toEqual(['2', '3']);
    const cleared = await afterUpdates([
      { messages: [message('1'), message('2')] },
      { messages: [new RemoveMessage({ id: REMOVE_ALL_MESSAGES })] },
    ]);
    expect(cleared.messages).toEqual([]);
  });

  it('D2 missing_references is a set union; references without a decision are open', async () => {
    const state = await afterUpdates([
      { missing_references: ['a.png', 'b.png'] },
      { missing_references: ['b.png', 'c.png'], user_decisions: { 'a.png': 'skip' } },
      { missing_references: ['a.png'], user_decisions: { 'c.png': 'upload.png' } },
    ]);
    expect(state.missing_references).toEqual(['a.png', 'b.png', 'c.png']);
    expect(state.user_decisions).toEqual({ 'a.png': 'skip', 'c.png': 'upload.png' });
    expect(openReferences(state)).toEqual(['b.png']);
  });

  it('D2 a reference with the name of an inherited object property is open until it is decided', () => {
    const refs = ['constructor', 'toString', 'hasOwnProperty'];
    expect(openReferences({ missing_references: refs, user_decisions: {} })).toEqual(refs);
    expect(openReferences({ missing_references: refs, user_decisions: { constructor: 'skip' } })).toEqual(
      refs.slice(1),
    );
  });

  it('D20 user_decisions merge; a later answer for the same reference wins', async () => {
    const state = await afterUpdates([
      { user_decisions: { x: 'skip', y: 'skip' } },
      { user_decisions: { x: 'file.png' } },
    ]);
    expect(state.user_decisions).toEqual({ x: 'file.png', y: 'skip' });
  });

  it('D23 accepted issues and read files are set unions; other keys keep the last value', async () => {
    const state = await afterUpdates([
      { accepted_issues: ['a'], files_read: ['a.md'], validation_issues: [], fix_attempts: 1 },
      { accepted_issues: ['b', 'a'], files_read: ['a.md', 'b.log'], fix_attempts: 2 },
    ]);
    expect(state).toMatchObject({
      accepted_issues: ['a', 'b'],
      files_read: ['a.md', 'b.log'],
      fix_attempts: 2,
    });
  });
});

describe('derived facts', () => {
  const validated = { temp_md_path: 'm1', validated_md_path: 'm1', validated_all: true };

  it.each<[string, Partial<DocumentState>, boolean]>([
    ['the current text passed against every source', validated, true],
    ['the text changed since', { ...validated, temp_md_path: 'm2' }, false],
    ['only some sources were validated', { ...validated, validated_all: false }, false],
    ['there is no manuscript', { ...validated, temp_md_path: null, validated_md_path: null }, false],
    [
      'a validation failed since, though its text was rolled back',
      { ...validated, validation_passed: false },
      false,
    ],
  ])('X1 may be exported or not: %s', (_, state, expected) => {
    expect(isFullyValidated({ ...initial(), ...state })).toBe(expected);
  });

  it('D21 all files are processed if the index is past the last input', () => {
    expect(allFilesProcessed({ ...initial(), current_file_index: 2 })).toBe(false);
    expect(allFilesProcessed({ ...initial(), current_file_index: 3 })).toBe(true);
  });
});
