import { READ_ONLY } from '#contracts/proposals.js';
import { Group, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useDropzone } from 'react-dropzone';
import {
  decideProposals,
  finishReview,
  proposalsOf,
  reviewOf,
  startReview,
  type Proposal,
} from '../api/reviews';
import { isOver } from '../api/runs';
import { useMay } from '../api/session';
import { useTranslation, type Translate } from '../i18n/i18n';
import { ProblemAlert, useReady, Card, Hint } from './frames';
import { ComparedWords } from './proposals/compared-words';
import { Proposals, type Proposed, type ProposedParagraph } from './proposals/proposals';
import { RunError } from './work-name';
import { ActionButton, SmallButton } from './actions';

const ACCEPT = {
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': ['.docx'],
};
/** Makes a Word file with what is open. */
type Act = () => Promise<unknown>;

/** Takes a Word file that came back, and lists what people changed in it, to accept or reject. */
export default function ReturnedFile({ sessionId, share }: { sessionId: string; share?: Act }) {
  const { t } = useTranslation();
  const newest = useQuery(reviewOf(sessionId)).data?.items[0];
  const sending = useMutation({ mutationFn: (file: File) => startReview(sessionId, file) });
  const zone = useDropzone({
    accept: ACCEPT,
    multiple: false,
    onDrop: ([file]) => file && sending.mutate(file),
  });
  const isReading = sending.isPending || (newest !== undefined && !isOver(newest));
  if (!useMay('write')) return null;
  return (
    <Card title={t('review.title')}>
      <div {...zone.getRootProps({ role: 'presentation' })}>
        <input {...zone.getInputProps({ 'aria-label': t('review.file') })} />
        <Hint mb="xs">{t('review.hint')}</Hint>
        <SmallButton loading={isReading} label={t('review.file')} />
      </div>
      {share && <ActionButton isSmall label={t('review.export')} act={share} />}
      {sending.error && <ProblemAlert error={sending.error} />}
      {newest && !isReading && <RunError error={newest.error} />}
      {newest?.status === 'completed' && <ReturnedProposals {...{ sessionId }} runId={newest.id} />}
    </Card>
  );
}

function ReturnedProposals({ sessionId, runId }: { sessionId: string; runId: string }) {
  const { t } = useTranslation();
  const [proposals, instead] = useReady(proposalsOf(sessionId, runId));
  if (instead) return instead;
  if (proposals.length === 0) return <Text size="sm">{t('review.none')}</Text>;
  return (
    <Proposals
      label={t('review.title')}
      paragraphs={paragraphsOf(proposals, t)}
      decide={(ids, state) => decideProposals(sessionId, runId, ids.map(Number), state)}
    >
      <Group justify="flex-end">
        <Hint>{t('proposals.openKept')}</Hint>
        <ActionButton size="xs" label={t('review.finish')} act={() => finishReview(runId)} />
      </Group>
    </Proposals>
  );
}

/** Returns the paragraphs of the manuscript in which something was proposed; what is not in it has none. */
function paragraphsOf(proposals: readonly Proposal[], t: Translate): ProposedParagraph[] {
  const paragraphs: (ProposedParagraph & { proposals: Proposed[] })[] = [];
  for (const proposal of proposals) {
    const { number, paragraph, chapter_id } = proposal;
    const key = paragraph ? `${chapter_id ?? 'at'}-${paragraph.start}` : `outside-${number}`;
    let last = paragraphs.at(-1);
    if (last?.key !== key) paragraphs.push((last = { key, text: paragraph?.text ?? '', proposals: [] }));
    // What stands around a span that is further behind, or in two paragraphs, ends further behind.
    if (paragraph && paragraph.text.length > last.text.length) last.text = paragraph.text;
    last.proposals.push(shown(proposal, t));
  }
  return paragraphs;
}

function shown(proposal: Proposal, t: Translate): Proposed {
  const { number, kind, author, line, span, paragraph, before, after, within, state } = proposal;
  const { applied: isApplied, comment, place, source, leaves_source } = proposal;
  const isRemark = READ_ONLY.has(kind);
  return {
    id: String(number),
    span:
      paragraph && within === null
        ? { start: span.start - paragraph.start, end: span.end - paragraph.start }
        : null,
    after: isRemark ? null : after,
    title: t('review.item', { kind: t(`proposalKind.${kind}`), line }),
    by: [author ?? t('review.untracked')],
    ...{ state, isApplied },
    notes: (
      <>
        {(isRemark || within !== null) && comment === null && <ComparedWords before={before} after={after} />}
        {comment !== null && <Text size="sm">{comment}</Text>}
        {place === 'not_applicable' && <Text size="sm">{t('review.notApplicable')}</Text>}
        {leaves_source && source !== null && (
          <Hint>{t('review.leavesSource', { name: source.name, line: source.line, text: source.text })}</Hint>
        )}
      </>
    ),
  };
}
