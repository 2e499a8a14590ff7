import { Badge, Button, Group, Select, Stack, Table, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '../../../i18n/i18n';
import { restoreVersion, versionsOf, type ChapterText, type Version } from '../../../api/chapters';
import { isBlockingError } from '../../../api/query-client';
import { useMay } from '../../../api/session';
import { Moment } from '../../../ui/moment';
import { PageLoader } from '../../../ui/page-loader';
import { ProblemAlert } from '../../../ui/problem-alert';
import { Impact } from './impact';
import { RevisionReview } from './revision-review';

interface VersionsProps {
  chapter: ChapterText;
  /** Session of the book, with the pictures of the text. */
  sessionId: string;
}

/** Lists the versions of a chapter; compares two of them, with decisions paragraph by paragraph (X8). */
export function Versions({ chapter, sessionId }: VersionsProps) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(versionsOf(chapter.id));
  const [from, setFrom] = useState(Math.max(1, chapter.version - 1));
  const [to, setTo] = useState(chapter.version);
  if (isBlockingError(error, data)) return <ProblemAlert error={error} onRetry={() => void refetch()} />;
  if (!data) return <PageLoader />;
  const choices = data.items.map(({ number }) => ({
    value: String(number),
    label: t('versions.number', { number }),
  }));
  return (
    <Stack gap="lg">
      <VersionTable chapter={chapter} versions={data.items} />
      {data.items.length > 1 && (
        <>
          <Group>
            <Select
              label={t('versions.from')}
              data={choices}
              value={String(from)}
              allowDeselect={false}
              onChange={(value) => value && setFrom(Number(value))}
            />
            <Select
              label={t('versions.to')}
              data={choices}
              value={String(to)}
              allowDeselect={false}
              onChange={(value) => value && setTo(Number(value))}
            />
          </Group>
          {from !== to && (
            <>
              <Impact chapterId={chapter.id} from={from} to={to} />
              <RevisionReview
                key={`${from}-${to}`}
                sessionId={sessionId}
                chapterId={chapter.id}
                from={from}
                to={to}
              />
            </>
          )}
        </>
      )}
    </Stack>
  );
}

interface VersionTableProps {
  chapter: ChapterText;
  versions: Version[];
}

function VersionTable({ chapter, versions }: VersionTableProps) {
  const { t } = useTranslation();
  const mayWrite = useMay('write');
  const restoring = useMutation({ mutationFn: (number: number) => restoreVersion(chapter.id, number) });
  return (
    <>
      {restoring.error && <ProblemAlert error={restoring.error} />}
      <Table.ScrollContainer minWidth={420}>
        <Table aria-label={t('versions.title')}>
          <Table.Tbody>
            {versions.map((version) => (
              <Table.Tr key={version.number}>
                <Table.Td>{t('versions.number', { number: version.number })}</Table.Td>
                <Table.Td>
                  <Badge variant="default">{t(`versionOrigin.${version.origin}`)}</Badge>
                </Table.Td>
                <Table.Td>{t('versions.words', { count: version.words })}</Table.Td>
                <Table.Td>{version.review && t('drafting.score', { score: version.review.score })}</Table.Td>
                <Table.Td>
                  <Moment at={version.created_at} />
                </Table.Td>
                <Table.Td>
                  {version.number === chapter.version ? (
                    <Text size="sm">{t('versions.current')}</Text>
                  ) : (
                    mayWrite && (
                      <Button
                        size="xs"
                        variant="default"
                        loading={restoring.isPending}
                        onClick={() => restoring.mutate(version.number)}
                        aria-label={t('versions.restoreNumber', { number: version.number })}
                      >
                        {t('versions.restore')}
                      </Button>
                    )
                  )}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </>
  );
}
