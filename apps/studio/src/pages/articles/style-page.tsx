import { Badge } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useTranslation } from '../../i18n/i18n';
import { corpusTextsQuery, fingerprintQuery, type CorpusText } from '../../api/corpus';
import { useMay } from '../../api/session';
import { ListPage } from '../../ui/list-page';
import { formatLanguage } from '../../ui/format';
import { Moment } from '../../ui/moment';
import { RouteAnchor } from '../../ui/route-links';
import { AddTexts } from './add-texts';
import { FingerprintCharts } from './fingerprint-charts';

/** Shows the texts of the style corpus, and their common features (A6). */
export function StylePage() {
  const { t } = useTranslation();
  const mayWrite = useMay('write');
  const { data: fingerprint } = useQuery(fingerprintQuery);
  return (
    <>
      <ListPage
        title={t('style.title')}
        links={<RouteAnchor to="/articles">{t('articles.title')}</RouteAnchor>}
        query={useInfiniteQuery(corpusTextsQuery)}
        minWidth={520}
        empty={{ title: t('style.empty'), text: t('style.emptyText') }}
        action={mayWrite && <AddTexts />}
        columns={[
          { label: t('style.text'), cell: ({ title, name }) => title ?? name },
          { label: t('style.type'), cell: ({ source_type }) => t(`sourceType.${source_type}`) },
          { label: t('style.language'), cell: ({ language }) => language && formatLanguage(language) },
          { label: t('runs.status'), cell: (text) => <State text={text} /> },
          { label: t('documents.created'), cell: ({ created_at }) => <Moment at={created_at} /> },
        ]}
      />
      {fingerprint && <FingerprintCharts fingerprint={fingerprint} />}
    </>
  );
}

function State({ text: { state, problem } }: { text: CorpusText }) {
  const { t } = useTranslation();
  return (
    <Badge variant="dot" color={{ ready: 'green', failed: 'red', queued: 'gray', indexing: 'blue' }[state]}>
      {problem ?? t(`sourceState.${state}`)}
    </Badge>
  );
}
