import { describe, expect, it } from '@jest/globals';
import { revisionChanges } from '#writing/paragraph-decisions.js';
import { splitParagraphs } from '#writing/paragraphs.js';
import { changeable, labelled, rejectionsOf, steeringOf } from './steering.js';

const BASE = '## One\n\nThe old first.\n\nThe old second.\n\nThe third.\n';
const REVISED = '## One\n\nThe new first.\n\nThe third.\n\nA new last.\n';
const idOf = (text: string, begins: string) =>
  splitParagraphs(text).find((one) => one.text.startsWith(begins))!.id;

describe('B12 steering a chapter', () => {
  it('finds the rejected paragraphs with their reasons', () => {
    const changes = revisionChanges(BASE, REVISED);
    const decisions = changes.map(({ id, after }) => ({
      change_id: id,
      accepted: after.includes('A new last'),
      reason: after.includes('A new last') ? null : 'Too short.',
    }));
    const rejections = rejectionsOf({ decisions, base: BASE, revised: REVISED });
    expect(rejections.map(({ reason }) => reason)).toEqual(['Too short.']);
    expect(rejections[0]?.after).toContain('The new first.');
  });

  it('revises an existing text only if a person requested it or wrote it', () => {
    const present = {
      version: 1,
      review: null,
      content: BASE,
      byPerson: false,
      rejections: [],
      kept: [],
      citations: [],
    };
    expect(steeringOf(present, undefined)).toBeNull();
    expect(steeringOf(null, 'shorter')).toBeNull();
    expect(steeringOf(present, 'shorter')).toMatchObject({ present: BASE, feedback: 'shorter' });
    expect(steeringOf({ ...present, byPerson: true }, undefined)).toMatchObject({ feedback: '' });
    const kept = [idOf(BASE, 'The third')];
    expect(steeringOf({ ...present, kept }, undefined)).toMatchObject({ present: BASE, kept });
  });

  it('changes a kept paragraph only if the feedback quotes it or names its ID', () => {
    const kept = [idOf(BASE, 'The old first'), idOf(BASE, 'The third')];
    const steering = { present: '', feedback: '', rejections: [], kept };
    const text = BASE.replace('The old first.', 'The lamp was lit at six.');
    const lamp = idOf(text, 'The lamp');
    const of = (feedback: string) => changeable({ ...steering, present: text, feedback, kept: [lamp] });
    expect(of('Make it all shorter.').has(lamp)).toBe(false);
    expect(of('Make it all shorter.').has(idOf(text, 'The third'))).toBe(true);
    expect(of('Say where "the lamp was lit".').has(lamp)).toBe(true);
    expect(of(`Change ${lamp}.`).has(lamp)).toBe(true);
    const short = '## One\n\nIt is grey.\n';
    const grey = idOf(short, 'It is');
    const named = (feedback: string) => changeable({ ...steering, present: short, feedback, kept: [grey] });
    expect(named('"It is grey." Say how old.').has(grey)).toBe(true);
    expect(named('Say how grey it is.').has(grey)).toBe(false);
  });

  it('keeps the labels of the passages that the text cites', () => {
    const passage = (start: number) => ({
      id: `p${start}`,
      source_id: 'src_1',
      source_title: 'Log',
      author: null,
      collection_id: null,
      kind: 'document' as const,
      url: null,
      date: null,
      fetched_at: null,
      text: 'x',
      span: { start, end: start + 1 },
      heading_path: [],
      weight: 1,
    });
    const { id: _, weight: __, ...cited } = { ...passage(7), label: 's2' };
    const present = {
      version: 1,
      review: null,
      content: '',
      byPerson: true,
      rejections: [],
      kept: [],
      citations: [cited],
    };
    const found = [passage(1), passage(7), passage(9)];
    expect(labelled(present, found).map(({ label, span }) => [label, span.start])).toEqual([
      ['s2', 7],
      ['s1', 1],
      ['s3', 9],
    ]);
    expect(labelled(null, found).map(({ label }) => label)).toEqual(['s1', 's2', 's3']);
  });
});
