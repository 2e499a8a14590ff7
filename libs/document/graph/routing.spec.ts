import { callTools, say } from '#testing/scripted-model.js';
import { NO_RECOVERY } from '#kit/graph/model-recovery.js';
import { HumanMessage } from '@langchain/core/messages';
import { END } from '@langchain/langgraph';
import fc from 'fast-check';
import type { Row } from '#kit/graph/routing.js';
import { nextNode, routingTable } from './routing.js';
import { documentNodes, type DocumentNode } from '../facts/nodes.js';
import { buildInitialState, type DocumentState, type PendingQuestion } from './state.js';

const QUESTION: PendingQuestion = { question: 'Where is it?', refs: ['a.png'], asked_by: 'agent' };
const SHORTFALL = { scope: 'run', unit: 'tokens', spent: 1, reserved: 0, needed: 2, limit: 2 } as const;
const VALIDATED = { temp_md_path: 'm1', validated_md_path: 'm1', validated_all: true };
const ALL_FILES = { current_file_index: 2 };
const FAILED = { status: 'failed' } as const;

const stateWith = (keys: Partial<DocumentState>): DocumentState => ({
  ...buildInitialState('ses_1', ['a.md', 'b.md'], ['a.md', 'b.md']),
  ...keys,
});

const nameOf = ({ from, when }: Row<DocumentNode, DocumentState>): string => `${from}: ${when}`;

/** For each row the state that it is made for; all else is as in a new run. */
const CASES: Record<string, Partial<DocumentState>> = {
  'scan_assets: failed': FAILED,
  'scan_assets: undecoded inputs': {
    undecoded: [{ name: 'a.txt', guess: 'x', confidence: 1, offers: [{ encoding: 'x', preview: '' }] }],
  },
  'scan_assets: unreadable inputs': {
    unreadable: [{ name: 'a.ipynb', reason: 'a.ipynb is not a notebook' }],
  },
  'scan_assets: pending_question': { pending_question: QUESTION },
  'scan_assets: otherwise': {},
  'encoding_decision: always': {},
  'unreadable_decision: abort': FAILED,
  'unreadable_decision: otherwise': {},
  'human_input: always': {},
  'agent: step limit reached': { ...FAILED, messages: [callTools(['x', {}])] },
  'agent: budget_shortfall: the call was not made': { budget_shortfall: SHORTFALL },
  'agent: model_recovery.failure: the model failed': {
    model_recovery: { ...NO_RECOVERY, failure: { code: 'c', message: 'm', operation: 'o', model: 'm' } },
  },
  'model_decision: stop': FAILED,
  'model_decision: otherwise': {},
  'budget_decision: stop': FAILED,
  'budget_decision: otherwise': {},
  'agent: the answer has tool calls': {
    messages: [new HumanMessage('order'), callTools(['list_files', {}])],
  },
  'agent: malformed answer': { messages: [new HumanMessage('correction')], malformed_calls: 1 },
  'agent: chapter_checkpoint_pending: rules wrote a chapter': { chapter_checkpoint_pending: true },
  'agent: words without a tool call, while work is left': { messages: [say('soon')], idle_answers: 1 },
  'agent: generation_complete, manuscript validated against every source': {
    ...VALIDATED,
    messages: [say('done')],
    generation_complete: true,
  },
  'agent: generation_complete, manuscript not yet validated': {
    ...VALIDATED,
    temp_md_path: 'm2',
    messages: [say('done')],
    generation_complete: true,
  },
  'tools: pending_question': { pending_question: QUESTION },
  'tools: chapter_checkpoint_pending': { chapter_checkpoint_pending: true },
  'tools: generation_complete or all files processed and no images, manuscript validated': {
    ...VALIDATED,
    ...ALL_FILES,
  },
  'tools: otherwise': { ...ALL_FILES, ...VALIDATED, temp_md_path: 'm2' },
  'validate_md: the validation was not done': FAILED,
  'validate_md: export_only: what a person accepted is converted, whatever it carries': {
    export_only: true,
    validation_passed: false,
  },
  'validate_md: validation_passed': { validation_passed: true },
  'validate_md: failed, fix_attempts was < 3': { validation_passed: false, fix_attempts: 3 },
  'validate_md: failed, fix_attempts was 3': {
    validation_passed: false,
    fix_attempts: 3,
    fix_exhausted: true,
  },
  'fix_decision: abort': { ...FAILED, validation_passed: false },
  'fix_decision: accept': { validation_passed: true },
  'fix_decision: retry': { validation_passed: false },
  'checkpoint: always': { last_checkpoint_id: 'x.md' },
  'parse_to_json: structure.json written': { structure_json_path: 's.json' },
  'parse_to_json: otherwise': { last_error: 'broken' },
  'convert: DOCX written': { output_docx_path: 'd.docx' },
  'convert: otherwise': { last_error: 'broken' },
  'quality_check: passed': { status: 'completed' },
  'quality_check: otherwise': { status: 'converting', last_error: 'differs' },
  'error_handler: conversion_attempts exhausted, or no text mends it': { ...FAILED, conversion_attempts: 3 },
  'error_handler: a retry is due': { conversion_attempts: 2 },
};

describe('the routing table', () => {
  it.each(routingTable.map((row) => [nameOf(row), row.to, row] as const))(
    'D35 row "%s" leads to %s',
    (name, to, row) => {
      const state = stateWith(CASES[name] ?? {});
      expect(Object.keys(CASES)).toContain(name);
      // The state picks this very row, not one before it that happens to lead to the same node.
      const chosen = routingTable.find((other) => other.from === row.from && other.holds(state));
      expect(chosen).toBe(row);
      expect(nextNode(row.from, state)).toBe(to);
    },
  );

  it('D35 has a case for every row, and no case without a row', () => {
    expect(Object.keys(CASES).sort()).toEqual(routingTable.map(nameOf).sort());
  });

  it('D35 reaches and leaves every node, and the last row of each node matches all remaining states', () => {
    const nodes = [...new Set(routingTable.map(({ from }) => from))];
    expect(nodes.toSorted()).toEqual(documentNodes.toSorted());
    for (const node of nodes.filter((name) => name !== 'scan_assets'))
      expect(routingTable.map(({ to }) => to)).toContain(node);
    for (const to of new Set(routingTable.map((row) => row.to))) if (to !== END) expect(nodes).toContain(to);
    for (const node of nodes)
      expect(routingTable.findLast(({ from }) => from === node)?.when).toMatch(
        /^(otherwise|always|retry|a retry is due|failed, fix_attempts was 3|generation_complete, manuscript not yet validated)$/,
      );
  });

  it('D35 has a next node for every node in any state', () => {
    const nodes = [...new Set(routingTable.map(({ from }) => from))] as DocumentNode[];
    const state = fc.record({
      status: fc.constantFrom<DocumentState['status'][]>('processing', 'failed', 'completed', 'converting'),
      pending_question: fc.constantFrom(null, QUESTION),
      chapter_checkpoint_pending: fc.boolean(),
      generation_complete: fc.boolean(),
      validated_all: fc.boolean(),
      temp_md_path: fc.constantFrom(null, 'm1', 'm2'),
      validated_md_path: fc.constantFrom(null, 'm1'),
      validation_passed: fc.constantFrom(null, true, false),
      fix_exhausted: fc.boolean(),
      malformed_calls: fc.nat(3),
      current_file_index: fc.nat(2),
    });
    fc.assert(
      fc.property(fc.constantFrom(...nodes), state, (node, keys) => {
        const to = nextNode(node, stateWith(keys));
        expect(routingTable.some((row) => row.from === node && row.to === to)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});

describe('the order of the rows', () => {
  const everything = {
    ...VALIDATED,
    ...ALL_FILES,
    pending_question: QUESTION,
    chapter_checkpoint_pending: true,
    generation_complete: true,
  };

  it.each<[string, Partial<DocumentState>, string]>([
    ['a question before all else', {}, 'human_input'],
    ['then a complete chapter', { pending_question: null }, 'validate_md'],
    [
      'then the finished work',
      { pending_question: null, chapter_checkpoint_pending: false },
      'parse_to_json',
    ],
    [
      'then the agent',
      {
        pending_question: null,
        chapter_checkpoint_pending: false,
        generation_complete: false,
        current_file_index: 1,
      },
      'agent',
    ],
  ])('D21 after tools: %s', (_, keys, to) => {
    expect(nextNode('tools', stateWith({ ...everything, ...keys }))).toBe(to);
  });

  it('D22 a checkpoint that was validated before does not lead to validation again', () => {
    const state = { last_checkpoint_id: 'x.md', chapter_checkpoint_pending: false };
    expect(nextNode('tools', stateWith(state))).toBe('agent');
  });

  it.each(['tools', 'agent'] as const)(
    'X1 no row leads from %s to the export unless the current manuscript is validated',
    (from) => {
      const done = { ...ALL_FILES, generation_complete: true, messages: [say('done')] };
      for (const keys of [
        { temp_md_path: 'm2' },
        { validated_all: false },
        { validation_passed: false },
        { validated_md_path: null },
      ])
        expect(nextNode(from, stateWith({ ...VALIDATED, ...done, ...keys }))).not.toBe('parse_to_json');
      expect(nextNode(from, stateWith({ ...VALIDATED, ...done }))).toBe('parse_to_json');
    },
  );
});
