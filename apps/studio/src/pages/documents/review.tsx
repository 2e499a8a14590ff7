import { Badge, Button, Group, Paper, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useDropzone } from 'react-dropzone';
import {
  decideProposals,
  finishReview,
  proposalsOf,
  reviewOf,
  startReview,
  type Proposal,
  type ProposalDecision,
} from '../../api/reviews';
import { isOver } from '../../api/runs';
import { useMay } from '../../api/session';
import { useTranslation } from '../../i18n/i18n';
import { BeforeAfter } from '../../ui/before-after';
import { ProblemAlert } from '../../ui/problem-alert';
import { RunError } from '../../ui/run-error';
import { Card, Hint } from '../../ui/card';
import { ActionButton } from '../../ui/action-button';

const ACCEPT = {
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': ['.docx'],
};

/** Takes a Word file that came back, and lists what people changed in it, to accept or reject. */
export default function Review({ sessionId }: { sessionId: string }) {
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
    <Card label={t('review.title')}>
      <Text fw={700}>{t('review.title')}</Text>
      <div {...zone.getRootProps({ role: 'presentation' })}>
        <input {...zone.getInputProps({ 'aria-label': t('review.file') })} />
        <Hint mb="xs">{t('review.hint')}</Hint>
        <Button size="xs" variant="default" loading={isReading}>
          {t('review.file')}
        </Button>
      </div>
      {sending.error && <ProblemAlert error={sending.error} />}
      {newest && !isReading && <RunError error={newest.error} />}
      {newest?.status === 'completed' && <Proposals runId={newest.id} />}
    </Card>
  );
}

function Proposals({ runId }: { runId: string }) {
  const { t } = useTranslation();
  const { data, error } = useQuery(proposalsOf(runId));
  if (!data) return error && <ProblemAlert error={error} />;
  if (data.items.length === 0) return <Text size="sm">{t('review.none')}</Text>;
  const decide = (body: ProposalDecision) => decideProposals(runId, body);
  return (
    <>
      {data.items.map((proposal) => (
        <Item key={proposal.number} proposal={proposal} decide={decide} />
      ))}
      {data.next_cursor !== null && <Text size="sm">{t('review.more')}</Text>}
      <Group>
        <ActionButton
          isSmall
          label={t('review.acceptAll')}
          act={() => decide({ state: 'accepted', all: true })}
        />
        <ActionButton
          isSmall
          label={t('review.rejectAll')}
          act={() => decide({ state: 'rejected', all: true })}
        />
        <ActionButton size="xs" label={t('review.finish')} act={() => finishReview(runId)} />
      </Group>
    </>
  );
}

function Item({
  proposal,
  decide,
}: {
  proposal: Proposal;
  decide: (body: ProposalDecision) => Promise<unknown>;
}) {
  const { t } = useTranslation();
  const { number, kind, author, line, before, after, comment, source, leaves_source, place, state } =
    proposal;
  return (
    <Paper withBorder p="sm" role="group" aria-label={t('review.item', { number })}>
      <Group gap="xs">
        <Text size="sm" fw={600}>
          {t(`proposalKind.${kind}`)}
        </Text>
        <Hint>{t('review.by', { author: author ?? t('review.untracked'), line })}</Hint>
        <Badge variant="light">{t(`proposalState.${state}`)}</Badge>
      </Group>
      <BeforeAfter before={before} after={after} isSource />
      {comment !== null && <Text size="sm">{comment}</Text>}
      {place === 'not_applicable' && <Text size="sm">{t('review.notApplicable')}</Text>}
      {leaves_source && source !== null && (
        <Hint>{t('review.leavesSource', { name: source.name, line: source.line, text: source.text })}</Hint>
      )}
      <Group gap="xs" mt="xs">
        <ActionButton
          isSmall
          label={t('review.reject')}
          act={() => decide({ state: 'rejected', numbers: [number] })}
        />
        <ActionButton
          isSmall
          label={t('review.accept')}
          act={() => decide({ state: 'accepted', numbers: [number] })}
        />
      </Group>
    </Paper>
  );
}
