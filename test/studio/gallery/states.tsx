import { ApiProblem } from '#contracts/api/responses.js';
import { Button, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Schemas } from '../../../apps/studio/src/api/api-query';
import { modelQuery } from '../../../apps/studio/src/api/model';
import { queryClient } from '../../../apps/studio/src/api/query-client';
import { sessionQuery } from '../../../apps/studio/src/api/session';
import Contents from '../../../apps/studio/src/ui/reading/contents';
import { commentsOf, type Comment } from '../../../apps/studio/src/api/comments';
import { Bullets } from '../../../apps/studio/src/ui/bullets';
import RenameWork from '../../../apps/studio/src/ui/rename-work';
import { TextViews } from '../../../apps/studio/src/ui/reading/text-views';
import {
  ActionButton,
  ConfirmedAction,
  RemoveButton,
  RemoveLaterButton,
  SmallButton,
  SendForm,
} from '../../../apps/studio/src/ui/actions';
import { AddFilesAs } from '../../../apps/studio/src/ui/add-files-as';
import { AnswerBar } from '../../../apps/studio/src/ui/answer-bar';
import { ChosenFiles } from '../../../apps/studio/src/ui/chosen-files';
import { CitationStyleSelect } from '../../../apps/studio/src/ui/citation-style-select';
import { CitedSource } from '../../../apps/studio/src/ui/cited-source';
import { CopyText, NewLink, NewSecret } from '../../../apps/studio/src/ui/copy-text';
import { DraftChoices, SaveBar } from '../../../apps/studio/src/ui/draft-choices';
import { ExportFiles } from '../../../apps/studio/src/ui/export-files';
import { ExportForm } from '../../../apps/studio/src/ui/export-form';
import { FindingList } from '../../../apps/studio/src/ui/finding-list';
import {
  Card,
  EmptyState,
  Hint,
  PageHeader,
  PageLoader,
  ProblemAlert,
  Section,
  StateBadge,
} from '../../../apps/studio/src/ui/frames';
import { LeftOutFiles } from '../../../apps/studio/src/ui/left-out-files';
import { LineForm } from '../../../apps/studio/src/ui/line-form';
import { ListTable } from '../../../apps/studio/src/ui/list-table';
import { MoveButtons } from '../../../apps/studio/src/ui/move-buttons';
import { NO_SOURCES, NamedSourceFields } from '../../../apps/studio/src/ui/named-sources';
import { NeedsModel } from '../../../apps/studio/src/ui/needs-model';
import { ComparedWords } from '../../../apps/studio/src/ui/proposals/compared-words';
import { Proposals, type Proposed } from '../../../apps/studio/src/ui/proposals/proposals';
import { Passage } from '../../../apps/studio/src/ui/reading/passage';
import { SourceLines } from '../../../apps/studio/src/ui/reading/source-lines';
import { ResultValue } from '../../../apps/studio/src/ui/result-value';
import { ReviewedText } from '../../../apps/studio/src/ui/reviewed-text';
import { SearchField } from '../../../apps/studio/src/ui/list-page';
import { ShareButton } from '../../../apps/studio/src/ui/share-button';
import ShareForm, { type Shared } from '../../../apps/studio/src/ui/share-form';
import { SourceConflicts } from '../../../apps/studio/src/ui/source-conflicts';
import { SourceDrop, type Chosen } from '../../../apps/studio/src/ui/source-drop';
import { ValueField } from '../../../apps/studio/src/ui/value-field';
import { VirtualListbox } from '../../../apps/studio/src/ui/virtual-listbox';
import { WorkActions } from '../../../apps/studio/src/ui/work-actions';
import {
  DecisionLink,
  RunError,
  RunStatusBadge,
  WorkAnchor,
  WorkFailure,
  WorkState,
} from '../../../apps/studio/src/ui/work-name';
import { WriterName } from '../../../apps/studio/src/ui/writer-name';

/** A state of a component; `isPressed` for the one after its first button is pressed. */
export interface Shown {
  element: ReactNode;
  isPressed?: boolean;
}

const AT = '2026-01-02T10:30:00Z';
const nothing = () => undefined;
const never = () => new Promise<never>(nothing);
const done = () => Promise.resolve();

const SHARED: Shared = { sessionId: 's1', of: { result: { kind: 'document', name: 'manuscript' } } };

const refused = new ApiProblem({
  status: 422,
  // Of another release, so that its title is shown as it was sent.
  code: 'invalid' as never,
  title: 'Invalid request',
  detail: 'The request has an invalid field.',
  errors: [{ path: 'title', message: 'must not be empty' }],
});
const fails = () => Promise.reject(refused);

// What the components ask the service for.
queryClient.setQueryData(sessionQuery.queryKey, {
  scopes: ['read', 'write', 'admin'],
  can_fetch_pages: true,
} as never);
const COMMENTED = { session_id: 's1', of: 'document' } as const;
const comment = (id: string, text: string, more: Partial<Comment> = {}) =>
  ({
    ...{ id, text, author: 'Ann', created_at: AT, quote: '', start: 0, reply_to: null, resolved_at: null },
    ...more,
  }) as Comment;
queryClient.setQueryData(commentsOf(COMMENTED).queryKey, [
  comment('c1', 'Which pool?', { quote: 'The pool', start: 0 }),
  comment('c2', 'The large one.', { author: 'Ben', reply_to: 'c1' }),
  comment('c3', 'Its depth is missing.', { quote: 'three metres', start: 90 }),
  comment('c4', 'Well said.', { resolved_at: AT }),
]);
queryClient.setQueryData(modelQuery.queryKey, { source: 'none' } as never);
queryClient.setQueryData(['shares', 's1'], {
  items: [{ id: 'h1', name: 'manuscript', created_at: AT, expires_at: '2026-02-01T10:30:00Z' }],
});
queryClient.setDefaultOptions({ queries: { retry: false, staleTime: Infinity, networkMode: 'always' } });

const finding = (id: string, severity: Schemas['Finding']['severity'], more: object = {}) =>
  ({
    id,
    rule: 'style-weasel',
    severity,
    message: `What is wrong with these words (${severity}).`,
    span: { start: 4, end: 8 },
    paragraph_id: null,
    evidence: [],
    suggestion: null,
    ...more,
  }) as Schemas['Finding'];

const FINDINGS = [
  finding('f1', 'info', { span: null }),
  finding('f2', 'warning', { suggestion: 'the tank was small', evidence: [{ text: 'The pool was small.' }] }),
  finding('f3', 'error', { overruled: { by: 'Ann', at: AT, reason: 'It is a quotation.' } }),
];

const proposal = (id: string, state: Proposed['state'], more: Partial<Proposed> = {}): Proposed => ({
  id,
  span: { start: 4, end: 8 },
  after: 'tank',
  title: 'Replaced words',
  by: ['Ann'],
  state,
  ...more,
});

const PARAGRAPHS = [
  { key: 'p1', text: 'The pool was too small for us.', proposals: [proposal('a', 'open')] },
  { key: 'p2', text: 'The pool was green, **not** blue.', proposals: [proposal('b', 'accepted')] },
  { key: 'p3', text: 'The pool was empty.', proposals: [proposal('c', 'rejected', { by: ['Bob'] })] },
  { key: 'p4', text: 'Nobody saw it.', proposals: [] },
];

const CITED = {
  label: '1',
  title: 'Pumps and tanks',
  author: 'A. Nowak',
  date: '2024-05-01',
  url: 'https://example.org/pumps',
  fetched_at: AT,
  collection_id: 'c1',
  source_id: 's1',
  span: { start: 0, end: 10 },
};

const MARKDOWN = `# Incident

The **pool** was *too* small, and \`pump-2\` stopped[^1].

| Pump | Litres |
| --- | ---: |
| P1 | 1 250 |
| P2 | 980 |

- first
- second

> It was quiet.

\`\`\`
2026-01-02 10:30 pump-2 stopped
\`\`\`

## Causes

A gasket.

[^1]: Log, line 4.
`;

const run = (status: string, more: object = {}) =>
  ({
    id: 'r1',
    session_id: 's1',
    kind: 'plan',
    title: 'Crew',
    status,
    error: null,
    model: null,
    progress: { details: {} },
    ...more,
  }) as never;
const work = (status: string, more: object = {}, stage: string | null = null) =>
  ({
    id: 'w1',
    title: 'Crew list',
    kind: 'plan',
    project_id: null,
    project_status: stage,
    latest_run: run(status, more),
  }) as never;

const FAILED = { code: 'model_unreachable', message: 'The model server cannot be reached.' };

const chosen = (count: number): Chosen =>
  ({
    isEmpty: count === 0,
    selection: {
      sources: Array.from({ length: count }, (_, index) => ({
        name: `folder/notes-${index + 1}.md`,
        file: { size: 1_200 * (index + 1) },
      })),
      leftOut: [],
      notCarried: [],
    },
    adding: { mutate: nothing, isPending: false, error: null },
    change: done,
    clear: nothing,
  }) as unknown as Chosen;

const draft = { id: 'd1', etag: 'e1', content: 'my words', at: Date.parse(AT) };
const drafts = (own: boolean) =>
  ({
    own: own ? draft : undefined,
    others: own ? [] : [draft],
    ...Object.fromEntries(
      ['keep', 'forget', 'saved', 'leave', 'take', 'discard'].map((name) => [name, nothing]),
    ),
  }) as never;

const shown = (element: ReactNode): Shown => ({ element });
const pressed = (element: ReactNode): Shown => ({ element, isPressed: true });
const field = (schema: object, value: unknown) => (
  <ValueField label="Value" description="What it is for" schema={schema} value={value} onChange={nothing} />
);

const ROWS = [
  { id: '1', name: 'P1', litres: '1,250' },
  { id: '2', name: 'P2', litres: '980' },
];

/** Every component in `apps/studio/src/ui` that shows something of its own, with its states. */
export const GALLERY: Record<string, Record<string, Shown>> = {
  ActionButton: {
    idle: shown(<ActionButton label="Write" act={done} />),
    small: shown(<ActionButton label="Write" isSmall act={done} />),
    disabled: shown(<ActionButton label="Write" disabled act={done} />),
    busy: pressed(<ActionButton label="Write" act={never} />),
    failed: pressed(<ActionButton label="Write" act={fails} />),
    remove: shown(<RemoveButton act={done} />),
  },
  Bullets: { list: shown(<Bullets items={['A pump.', 'A gasket, for the pump.']} />) },
  Comments: {
    threads: shown(
      <TextViews
        label="Chapter"
        markdown={'The pool was small.\n'}
        sessionId={COMMENTED.session_id}
        comments={COMMENTED}
      />,
    ),
  },
  AddFilesAs: {
    plain: shown(<AddFilesAs label="Add files" initial="any" onAdd={() => Promise.resolve([])} />),
    choice: shown(
      <AddFilesAs
        label="Add files"
        initial="source"
        choices={[{ value: 'source', label: 'Source' }]}
        choiceLabel="Purpose"
        onAdd={() => Promise.resolve([])}
      />,
    ),
  },
  AnswerBar: {
    choices: shown(
      <AnswerBar
        give={done}
        reasonLabel="What should change"
        choices={() => [
          {
            label: 'Reject',
            answer: 'no',
            confirm: { label: 'Reject now', consequence: 'The text is lost.' },
          },
          { label: 'Send back', answer: 'back', isDisabled: true },
          { label: 'Accept', answer: 'yes', isMain: true },
        ]}
      />,
    ),
    failed: pressed(
      <AnswerBar give={fails} choices={() => [{ label: 'Accept', answer: 'yes', isMain: true }]} />,
    ),
  },
  Card: {
    card: shown(
      <Card title="Sources" actions={<Button size="xs">Add</Button>}>
        <Hint>Seven files</Hint>
      </Card>,
    ),
    section: shown(<Section title="Causes">A gasket.</Section>),
  },
  ChosenFiles: {
    few: shown(<ChosenFiles chosen={chosen(2)} />),
    many: shown(<ChosenFiles chosen={chosen(14)} />),
  },
  CitationStyleSelect: {
    empty: shown(<CitationStyleSelect value={null} onChange={nothing} />),
    chosen: shown(<CitationStyleSelect value="apa" onChange={nothing} />),
  },
  CitedSource: {
    stored: shown(<CitedSource source={CITED} />),
    bare: shown(<CitedSource source={{ label: '2', title: 'A letter' }} />),
  },
  CopyText: { copy: shown(<CopyText text="words" name="Summary" />) },
  DraftChoices: {
    older: shown(<DraftChoices drafts={drafts(true)} etag="e2" describe={String} />),
    other: shown(<DraftChoices drafts={drafts(false)} etag="e1" describe={String} />),
  },
  EmptyState: {
    empty: shown(
      <EmptyState title="No documents yet" text="Drop files to write the first one.">
        <Button>New document</Button>
      </EmptyState>,
    ),
  },
  ExportFiles: {
    files: shown(
      <ExportFiles
        sessionId="s1"
        files={[{ id: 'e1', name: 'incident.docx', size: 48_213, created_at: AT } as Schemas['Export']]}
      />,
    ),
  },
  ExportForm: { form: shown(<ExportForm onExport={done} />) },
  FindingList: {
    findings: shown(<FindingList findings={FINDINGS} onChoose={nothing} onRule={done} />),
    read: shown(<FindingList findings={FINDINGS.slice(1, 2)} onChoose={nothing} />),
  },
  LeftOutFiles: {
    files: shown(
      <LeftOutFiles leftOut={[{ name: 'setup.exe', reason: 'binary' }]} notCarried={['data.bin']} />,
    ),
  },
  LineForm: {
    empty: shown(
      <LineForm
        fields={[
          { name: 'name', label: 'Name', placeholder: 'crm', maxLength: 40, width: 160 },
          { name: 'value', label: 'Value', placeholder: '', maxLength: 200, isSecret: true },
        ]}
        action="Add"
        onSubmit={done}
      />,
    ),
  },
  ListTable: {
    rows: shown(
      <ListTable
        items={ROWS}
        minWidth={280}
        columns={[
          { label: 'Pump', cell: ({ name }) => name },
          { label: 'Litres', cell: ({ litres }) => litres, isNumber: true },
        ]}
      />,
    ),
  },
  MoveButtons: {
    first: shown(
      <MoveButtons labels={{ up: 'Up: a', down: 'Down: a' }} index={0} count={3} onMove={nothing} />,
    ),
    last: shown(
      <MoveButtons labels={{ up: 'Up: b', down: 'Down: b' }} index={2} count={3} onMove={nothing} />,
    ),
  },
  NamedSourceFields: { empty: shown(<NamedSourceFields sources={NO_SOURCES} onChange={nothing} />) },
  NewSecret: { secret: shown(<NewSecret title="Copy it now" secret="scr_abc" />) },
  NewLink: { link: shown(<NewLink path="/shared/s-1" />) },
  NeedsModel: { text: shown(<NeedsModel text="Rules write this text." />) },
  PageHeader: { actions: shown(<PageHeader title="Incident" children={<Button>Share</Button>} />) },
  PageLoader: { waits: shown(<PageLoader />) },
  ProblemAlert: {
    problem: shown(<ProblemAlert error={refused} onRetry={nothing} />),
    unreachable: shown(<ProblemAlert error={new TypeError('fetch failed')} />),
    code: pressed(<ProblemAlert error={refused} />),
  },
  ComparedWords: {
    words: shown(<ComparedWords before="The pool was small." after="The tank was very small." />),
  },
  Proposals: {
    states: shown(<Proposals label="Changes" paragraphs={PARAGRAPHS} decide={done} />),
  },
  Contents: { open: pressed(<Contents markdown={MARKDOWN} onChoose={nothing} />) },
  Passage: { text: shown(<Passage markdown={MARKDOWN} label="Incident" />) },
  SourceLines: {
    marked: shown(<SourceLines label="Log" text={'one\ntwo\n\nfour'} marked={{ first: 1, last: 1 }} />),
  },
  RemoveLaterButton: { remove: shown(<RemoveLaterButton id="x" name="notes.md" remove={done} />) },
  SaveBar: {
    changed: shown(
      <SaveBar isChanged state="Unsaved" label="Save" save={nothing} isSaving={false} undo={nothing} />,
    ),
  },
  SmallButton: {
    plain: shown(<SmallButton label="Print" />),
    idle: shown(<SmallButton label="Undo" isIdle />),
  },
  RenameWork: { form: shown(<RenameWork name="Crew list" rename={done} />) },
  ResultValue: {
    text: shown(<ResultValue preview={JSON.stringify('Two lines\nof text')} />),
    table: shown(<ResultValue preview={JSON.stringify({ rows: ROWS, columns: ['id'], count: 2 })} />),
    cut: shown(<ResultValue preview={'{"rows":[{"id":'} />),
  },
  ReviewedText: {
    findings: shown(
      <ReviewedText
        label="Chapter"
        content={'The pool was small.\n'}
        findings={FINDINGS}
        readOnly={false}
        onChange={nothing}
      />,
    ),
  },
  RunError: {
    failed: shown(<RunError error={FAILED as never} />),
    cancelled: shown(
      <RunError error={{ code: 'cancelled', message: 'A person cancelled the run.' } as never} />,
    ),
  },
  RunStatusBadge: Object.fromEntries(
    (['queued', 'running', 'needs_answer', 'completed', 'failed', 'cancelled', 'rejected'] as const).map(
      (status) => [status, shown(<RunStatusBadge status={status} />)],
    ),
  ),
  StateBadge: Object.fromEntries(
    ['accepted', 'info', 'skipped', 'changed', 'failed', 'queued'].map((state) => [
      state,
      shown(<StateBadge state={state} text={state} />),
    ]),
  ),
  SearchField: {
    empty: shown(<SearchField label="Search works" value="" onSearch={nothing} />),
    filled: shown(<SearchField label="Search works" value="pump" onSearch={nothing} />),
  },
  ShareButton: { button: shown(<ShareButton {...SHARED} />) },
  ShareForm: { form: shown(<ShareForm {...SHARED} />) },
  SendForm: {
    idle: shown(
      <SendForm label="Save" send={done} children={<TextInput label="Name" defaultValue="crm" />} />,
    ),
    failed: pressed(
      <SendForm label="Save" send={fails} children={<TextInput label="Name" defaultValue="crm" />} />,
    ),
  },
  SourceConflicts: {
    sides: shown(
      <SourceConflicts
        conflicts={[
          {
            about: 'the volume of tank 2',
            sides: [
              { label: '1', quote: 'Tank 2 holds 980 litres.', span: { start: 0, end: 9 } },
              { label: '2', quote: 'Tank 2 holds 1,250 litres.', span: { start: 0, end: 9 } },
            ],
          } as never,
        ]}
        sources={new Map([['1', CITED]])}
      />,
    ),
  },
  SourceDrop: { empty: shown(<SourceDrop chosen={chosen(0)} />) },
  ValueField: {
    text: shown(field({ type: 'string' }, 'words')),
    number: shown(field({ type: 'integer', minimum: 1 }, 12)),
    boolean: shown(field({ type: 'boolean' }, true)),
    choice: shown(field({ type: 'string', enum: ['red', 'green'] }, 'red')),
    list: shown(field({ type: 'array', items: { type: 'string' } }, ['one', 'two'])),
    parts: shown(
      field(
        { type: 'object', properties: { name: { type: 'string' }, age: { type: 'integer' } } },
        { name: 'Ann', age: 41 },
      ),
    ),
    json: shown(field({ type: 'array' }, [{ a: 1 }])),
    wrong: shown(field({ type: 'array' }, '[{')),
  },
  VirtualListbox: {
    chosen: shown(
      <VirtualListbox
        label="Lines"
        count={4}
        rowHeight={28}
        chosen={1}
        onChoose={nothing}
        row={(index) => ({ id: `row-${index}`, children: `Line ${index + 1}` })}
      />,
    ),
  },
  WorkActions: {
    idle: shown(<WorkActions id="w1" name="Crew list" run={run('completed')} rename={done} remove={done} />),
    active: shown(<WorkActions id="w2" name="Menu" run={run('running')} rename={done} remove={done} />),
  },
  WorkAnchor: {
    work: shown(<WorkAnchor work={work('completed')} />),
    decision: shown(
      <DecisionLink
        decision={{ run_id: 'r1', session_id: 's1', run_kind: 'plan', run_title: null } as never}
      />,
    ),
  },
  WorkState: {
    answer: shown(<WorkState work={work('needs_answer')} />),
    stage: shown(<WorkState work={work('completed', {}, 'outlined')} />),
    failed: shown(<WorkFailure work={work('failed', { error: FAILED })} />),
    warned: shown(
      <WorkFailure
        work={work('completed', { progress: { details: { warnings: [{ message: 'Two items failed.' }] } } })}
      />,
    ),
  },
  WriterName: {
    rules: shown(<WriterName run={{ model: 'offline (rules, no model)' }} />),
    model: shown(<WriterName run={{ model: 'gpt-4.1' }} />),
  },
  // The last one that is pressed: a press elsewhere resets it.
  ConfirmButton: {
    asked: pressed(
      <ConfirmedAction
        label="Delete"
        confirm="Delete for ever"
        consequence="All versions are lost."
        act={done}
      />,
    ),
  },
};
