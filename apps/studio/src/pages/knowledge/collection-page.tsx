import {
  Button,
  Stack,
  Text,
  Title,
  Alert,
  Group,
  Select,
  TextInput,
  Badge,
  Paper,
  Progress,
} from '@mantine/core';
import { useQuery, useMutation } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useTranslation } from '../../i18n/i18n';
import { collectionQuery, deleteCollection, sourcesOf, search, type Hit } from '../../api/knowledge';
import { isBlockingError } from '../../api/query-client';
import { removeLater } from '../../api/removals';
import { useMay } from '../../api/session';
import { useCollectionName } from '../../ui/collection-name';
import { PageHeader } from '../../ui/page-header';
import { PageLoader } from '../../ui/page-loader';
import { ProblemAlert } from '../../ui/problem-alert';
import { AddFiles } from './add-files';
import { SourceList } from './source-list';
import { useState, type FormEvent } from 'react';
import { RouteAnchor } from '../../ui/route-links';
import { formatMeasure } from '../../ui/format';

/** Shows one collection: its sources, and a search. */
export function CollectionPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const nameOf = useCollectionName();
  const mayWrite = useMay('write');
  const { collectionId } = useParams({ from: '/shell/knowledge/$collectionId' });
  const { data, error, refetch } = useQuery(collectionQuery(collectionId));
  const sources = useQuery(sourcesOf(collectionId));
  if (isBlockingError(error, data)) return <ProblemAlert error={error} onRetry={() => void refetch()} />;
  if (!data) return <PageLoader />;
  const remove = () => {
    removeLater({ id: collectionId, name: nameOf(data), remove: () => deleteCollection(collectionId) });
    void navigate({ to: '/sources' });
  };
  return (
    <>
      <PageHeader title={nameOf(data)}>
        {mayWrite && data.project === null && (
          <Button size="xs" variant="default" onClick={remove}>
            {t('knowledge.delete')}
          </Button>
        )}
      </PageHeader>
      <Stack gap="xl">
        {data.description && <Text>{data.description}</Text>}
        <SearchPanel collectionId={collectionId} />
        <Stack gap="sm" component="section">
          <Title order={2} size="h4">
            {t('knowledge.sources')}
          </Title>
          {mayWrite && <AddFiles label={t('knowledge.add')} collection={() => collectionId} />}
          {sources.error && <ProblemAlert error={sources.error} onRetry={() => void sources.refetch()} />}
          {sources.data && <SourceList collectionId={collectionId} sources={sources.data.items} />}
        </Stack>
      </Stack>
    </>
  );
}

const MODES = ['hybrid', 'lexical', 'semantic'] as const;
type Mode = (typeof MODES)[number];

/** Searches a collection, and explains the rank of every passage. */
function SearchPanel({ collectionId }: { collectionId: string }) {
  const { t } = useTranslation();
  const [query, setQuery] = useState('');
  const [mode, setMode] = useState<Mode>('hybrid');
  const searching = useMutation({
    mutationFn: () => search({ collections: [collectionId], query: query.trim(), mode, k: 10 }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (query.trim() !== '') searching.mutate();
  };
  const { data } = searching;
  return (
    <Stack gap="sm" component="section" aria-label={t('search.title')}>
      <Title order={2} size="h4">
        {t('search.title')}
      </Title>
      <form onSubmit={submit} role="search">
        <Group align="flex-end">
          <TextInput
            flex={1}
            miw={200}
            label={t('search.query')}
            maxLength={2_000}
            value={query}
            onChange={(event) => setQuery(event.currentTarget.value)}
          />
          <Select
            label={t('search.mode')}
            data={MODES.map((value) => ({ value, label: t(`search.${value}`) }))}
            value={mode}
            allowDeselect={false}
            onChange={(value) => value && setMode(value as Mode)}
            w={240}
          />
          <Button type="submit" loading={searching.isPending} disabled={query.trim() === ''}>
            {t('search.submit')}
          </Button>
        </Group>
      </form>
      {searching.error && <ProblemAlert error={searching.error} />}
      {data?.degraded.includes('semantic') && <Alert color="yellow">{t('search.degraded')}</Alert>}
      {data && (
        <Text size="sm" role="status">
          {t('search.found', { count: data.hits.length })}
        </Text>
      )}
      {data?.hits.map((hit, index) => (
        <HitCard key={hit.chunk_id} hit={hit} rank={index + 1} />
      ))}
    </Stack>
  );
}

const LISTS = ['bm25', 'trigrams', 'vectors'] as const;

/** Shows a found passage: its location, its text, and its rank in each result list. */
function HitCard({ hit, rank }: { hit: Hit; rank: number }) {
  const { t } = useTranslation();
  const { parts } = hit;
  return (
    <Paper withBorder p="md" component="article" aria-label={t('search.rank', { rank })}>
      <Stack gap="xs">
        <Group justify="space-between">
          <Text size="sm" fw={600}>
            {rank}.{' '}
            <RouteAnchor
              to="/knowledge/$collectionId/sources/$sourceId"
              params={{ collectionId: hit.collection_id, sourceId: hit.source_id }}
              search={{ from: hit.start, to: hit.end }}
            >
              {hit.source_title ?? hit.source_name}
            </RouteAnchor>
            {hit.heading_path.length > 0 && ` › ${hit.heading_path.join(' › ')}`}
          </Text>
          <Badge variant="default">{t('search.score', { score: formatMeasure(hit.score, 3) })}</Badge>
        </Group>
        <div className="verbatim passage">{hit.text}</div>
        <Progress value={parts.relevance * 100} size="sm" aria-label={t('search.relevance')} />
        <Group gap="md">
          <Text size="xs">
            {t('search.formula', {
              relevance: formatMeasure(parts.relevance, 3),
              weight: parts.weight,
              score: formatMeasure(hit.score, 3),
            })}
          </Text>
          {LISTS.map((list) => {
            const place = parts[list];
            return (
              <Text key={list} size="xs" c="dimmed">
                {place
                  ? t('search.placed', {
                      list: t(`search.${list}`),
                      rank: place.rank,
                      score: formatMeasure(place.score, 2),
                    })
                  : t('search.notIn', { list: t(`search.${list}`) })}
              </Text>
            );
          })}
        </Group>
        {hit.matched_terms.length > 0 && (
          <Group gap={4}>
            <Text size="xs">{t('search.matched')}</Text>
            {hit.matched_terms.map((term) => (
              <Badge key={term} size="sm" variant="default">
                {term}
              </Badge>
            ))}
          </Group>
        )}
      </Stack>
    </Paper>
  );
}
