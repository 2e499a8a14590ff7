import { LineForm } from '../../ui/line-form';
import { Stack, Text, Alert, Paper } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useTranslation } from '../../i18n/i18n';
import { collectionQuery, deleteCollection, searchQuery, sourcesOf, type Hit } from '../../api/knowledge';
import { removeLater } from '../../api/removals';
import { useMay } from '../../api/session';
import { useCollectionName } from '../../ui/collection-name';
import { PageHeader, Heading, ProblemAlert, useReady, PageLoader } from '../../ui/frames';
import { AddFiles } from './add-files';
import { SourceList } from './source-list';
import { useMemo } from 'react';
import { RouteAnchor } from '../../ui/route-links';
import { Passage } from '../../ui/reading/passage';
import { FoundWords } from '../../ui/reading/inlines';
import { useTab } from '../../ui/page-tabs';
import { SmallButton } from '../../ui/actions';

/** Shows one collection: its sources, and a search. */
export default function CollectionPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const nameOf = useCollectionName();
  const mayWrite = useMay('write');
  const { collectionId } = useParams({ from: '/shell/knowledge/$collectionId' });
  const [data, instead] = useReady(collectionQuery(collectionId));
  const [sources, wait] = useReady(sourcesOf(collectionId));
  if (instead) return instead;
  const remove = () => {
    removeLater({ id: collectionId, name: nameOf(data), remove: () => deleteCollection(collectionId) });
    void navigate({ to: '/sources' });
  };
  return (
    <>
      <PageHeader title={nameOf(data)}>
        {mayWrite && data.project === null && <SmallButton label={t('knowledge.delete')} onClick={remove} />}
      </PageHeader>
      <Stack gap="xl">
        {data.description && <Text>{data.description}</Text>}
        <SearchPanel collectionId={collectionId} />
        <Stack gap="sm" component="section">
          <Heading>{t('knowledge.sources')}</Heading>
          {mayWrite && <AddFiles label={t('knowledge.add')} collection={() => collectionId} />}
          {wait ?? <SourceList collectionId={collectionId} sources={sources.items} />}
        </Stack>
      </Stack>
    </>
  );
}

/** Searches a collection; the search is part of the address. */
function SearchPanel({ collectionId }: { collectionId: string }) {
  const { t } = useTranslation();
  const [sought, setSought] = useTab('', 'q');
  const { data, error, isLoading } = useQuery(searchQuery([{ id: collectionId }], sought));
  return (
    <Stack gap="sm" component="search" aria-label={t('search.title')}>
      <Heading>{t('search.title')}</Heading>
      <LineForm
        fields={[{ name: 'query', label: t('search.query'), maxLength: 2_000, initial: sought }]}
        action={t('search.submit')}
        onSubmit={({ query }) => setSought(query)}
      />
      {isLoading && <PageLoader />}
      {error && <ProblemAlert error={error} />}
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

/** Shows a found passage as it is read, with its place and the found words marked. */
function HitCard({ hit, rank }: { hit: Hit; rank: number }) {
  const { t, language } = useTranslation();
  const found = useMemo(
    () => hit.matched_terms.map((term) => term.toLocaleLowerCase(language)),
    [hit.matched_terms, language],
  );
  return (
    <Paper withBorder p="md" component="article" aria-label={t('search.rank', { rank })}>
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
      <FoundWords value={found}>
        <Passage markdown={hit.text} />
      </FoundWords>
    </Paper>
  );
}
