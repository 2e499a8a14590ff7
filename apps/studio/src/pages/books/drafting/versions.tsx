import { Bullets } from '../../../ui/bullets';
import { Group, Select, Stack, Text, Alert } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from '../../../i18n/i18n';
import {
  restoreVersion,
  versionsOf,
  type ChapterText,
  type Version,
  impactOf,
  changesBetween,
  decideParagraphs,
} from '../../../api/chapters';
import { useMay } from '../../../api/session';
import { Moment } from '../../../ui/format';
import { useReady, Hint } from '../../../ui/frames';
import { useParams } from '@tanstack/react-router';
import { RouteAnchor } from '../../../ui/route-links';
import { ActionButton } from '../../../ui/actions';
import { ListTable } from '../../../ui/list-table';
import { Proposals, useDecisions, type ProposedParagraph } from '../../../ui/proposals/proposals';

interface VersionsProps {
  chapter: ChapterText;
  /** Session of the book, with the pictures of the text. */
  sessionId: string;
}

/** Lists the versions of a chapter; compares two of them, with decisions paragraph by paragraph (X8). */
export function Versions({ chapter, sessionId }: VersionsProps) {
  const { t } = useTranslation();
  const [data, instead] = useReady(versionsOf(chapter.id));
  const [from, setFrom] = useState(Math.max(1, chapter.version - 1));
  const [to, setTo] = useState(chapter.version);
  if (instead) return instead;
  const choices = data.items.map(({ number }) => ({
    value: String(number),
    label: t('versions.number', { number }),
  }));
  const select = (end: 'from' | 'to', chosen: number, choose: (number: number) => void) => (
    <Select
      label={t(`versions.${end}`)}
      data={choices}
      value={String(chosen)}
      onChange={(value) => value && choose(Number(value))}
    />
  );
  return (
    <Stack gap="lg">
      <VersionTable chapter={chapter} versions={data.items} />
      {data.items.length > 1 && (
        <>
          <Group>
            {select('from', from, setFrom)}
            {select('to', to, setTo)}
          </Group>
          {from !== to && (
            <>
              <Impact chapterId={chapter.id} from={from} to={to} />
              <RevisionReview key={`${from}-${to}`} chapterId={chapter.id} {...{ sessionId, from, to }} />
            </>
          )}
        </>
      )}
    </Stack>
  );
}

function VersionTable({ chapter, versions }: { chapter: ChapterText; versions: Version[] }) {
  const { t } = useTranslation();
  const mayWrite = useMay('write');
  return (
    <ListTable
      items={versions}
      minWidth={420}
      columns={[
        { label: t('versions.title'), cell: ({ number }) => t('versions.number', { number }) },
        { label: t('versions.origin'), cell: ({ origin }) => t(`versionOrigin.${origin}`) },
        { label: t('drafting.text'), cell: ({ words: count }) => t('versions.words', { count }) },
        {
          label: t('versions.review'),
          cell: ({ review }) => review && t('drafting.score', { score: review.score }),
        },
        { label: t('documents.created'), cell: ({ created_at: at }) => <Moment at={at} /> },
        {
          label: t('work.actions'),
          cell: ({ number }) =>
            number === chapter.version
              ? t('versions.current')
              : mayWrite && (
                  <ActionButton
                    isSmall
                    group="restore"
                    label={t('versions.restore')}
                    aria-label={t('versions.restoreNumber', { number })}
                    act={() => restoreVersion(chapter.id, number)}
                  />
                ),
        },
      ]}
    />
  );
}

/** Lists the facts that a change of a chapter affects, and the chapters that rely on them. */
function Impact({ chapterId, from, to }: { chapterId: string; from: number; to: number }) {
  const { t } = useTranslation();
  const { projectId } = useParams({ from: '/shell/books/$projectId/$step' });
  const [data, instead] = useReady(impactOf(chapterId, from, to));
  if (instead) return instead;
  if (data.changed.length === 0) return null;
  return (
    <Alert
      color={data.affected.length > 0 ? 'yellow' : 'gray'}
      title={t('impact.title', { count: data.changed.length })}
    >
      <Bullets
        items={data.changed.map(({ text, change }) =>
          change === 'removed' ? <del>{text}</del> : <ins>{text}</ins>,
        )}
      />
      {data.affected.map(({ chapter_id: id, number, title, relies_on: facts }) => (
        <div key={id}>
          <RouteAnchor
            to="/books/$projectId/$step"
            params={{ projectId, step: 'drafting' }}
            search={{ chapter: id }}
          >
            {number}. {title}
          </RouteAnchor>{' '}
          {t('impact.reliesOn', { facts: facts.map(({ text }) => text).join(', ') })}
        </div>
      ))}
    </Alert>
  );
}

interface RevisionReviewProps extends Pick<VersionsProps, 'sessionId'> {
  chapterId: string;
  from: number;
  to: number;
}

/**
 * Lets a person accept or reject each changed paragraph; rejected changes leave the text byte-identical (X8).
 */
function RevisionReview({ sessionId, chapterId, from, to }: RevisionReviewProps) {
  const { t } = useTranslation();
  const mayWrite = useMay('write');
  const [data, instead] = useReady(changesBetween(chapterId, from, to));
  const { stateOf, isRejected, reasonOf, reasonField, decide } = useDecisions(`${chapterId}.${from}-${to}`);
  if (instead) return instead;
  if (data.changes.length === 0) return <Text c="dimmed">{t('revision.none')}</Text>;
  const apply = () => {
    const decisions = data.changes.map(({ id }) => ({
      change_id: id,
      accepted: !isRejected(id),
      reason: (isRejected(id) && reasonOf(id)) || null,
    }));
    return decideParagraphs(chapterId, { from, to, decisions });
  };
  const paragraphs = data.changes.map(({ id, before, after }, index): ProposedParagraph => {
    const number = index + 1;
    const span = { start: 0, end: before.length };
    const notes = reasonField(id, t('revision.reason', { number }), 2_000);
    const shown = { title: t('revision.change', { number }), by: [], state: stateOf(id), notes };
    return { key: id, text: before, proposals: [{ id, span, after, ...shown }] };
  });
  const count = data.changes.filter(({ id }) => !isRejected(id)).length;
  return (
    <Proposals
      label={t('revision.title')}
      paragraphs={paragraphs}
      sessionId={sessionId}
      decide={mayWrite ? decide : undefined}
    >
      {mayWrite && (
        <Group justify="flex-end">
          <Hint>{t('proposals.openApplied')}</Hint>
          <ActionButton label={t('revision.apply', { count })} act={apply} />
        </Group>
      )}
    </Proposals>
  );
}
