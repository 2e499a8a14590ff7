import { Alert, Checkbox, Stack, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from '../../i18n/i18n';
import type { ArticleMode } from '../../api/articles';
import { corpusTextsQuery } from '../../api/corpus';
import { collectionsQuery } from '../../api/knowledge';
import { RouteAnchor } from '../../ui/route-links';

interface ArticleNeedsProps {
  mode: ArticleMode;
  /** Whether the text is compared with general rules, which need no corpus. */
  isGeneral: boolean;
  /** Whether the author names pages or files. */
  hasNamed: boolean;
  /** Whether the research searches the web instead of collections. */
  isWebOnly: boolean;
  onWebOnly: (isWebOnly: boolean) => void;
  /** Called when it becomes known whether the article's requirements are met. */
  onChange: (isReady: boolean) => void;
}

/** Says what an article still needs: sources to research in, or texts to compare the style with. */
export function ArticleNeeds({
  mode,
  isGeneral,
  hasNamed,
  isWebOnly,
  onWebOnly,
  onChange,
}: ArticleNeedsProps) {
  const { t } = useTranslation();
  const collections = useInfiniteQuery(collectionsQuery()).data?.pages[0]?.items;
  const texts = useInfiniteQuery(corpusTextsQuery).data?.pages[0]?.items;
  // The research does not use the collections of books.
  const hasSources =
    collections?.some(
      ({ sources, purpose, project }) => sources > 0 && purpose === 'knowledge' && project === null,
    ) ?? true;
  const hasStyle = isGeneral || texts === undefined || texts.length > 0;
  const isReady = mode === 'author' ? hasSources || hasNamed || isWebOnly : hasStyle;
  useEffect(() => onChange(isReady), [isReady, onChange]);
  if (mode === 'author' && !hasSources && !hasNamed)
    return (
      <Alert color="yellow" title={t('articleNeeds.sources')}>
        <Stack gap="xs">
          <Text size="sm">
            {t('articleNeeds.sourcesText')}{' '}
            <RouteAnchor to="/knowledge" size="sm" underline="always" c="inherit">
              {t('articleNeeds.addSources')}
            </RouteAnchor>
          </Text>
          <Checkbox
            label={t('articleNeeds.webOnly')}
            checked={isWebOnly}
            onChange={(event) => onWebOnly(event.currentTarget.checked)}
          />
        </Stack>
      </Alert>
    );
  if (mode === 'shadow' && !hasStyle)
    return (
      <Alert color="yellow" title={t('articleNeeds.style')}>
        <Text size="sm">
          {t('articleNeeds.styleText')}{' '}
          <RouteAnchor to="/style" size="sm" underline="always" c="inherit">
            {t('style.add')}
          </RouteAnchor>
        </Text>
      </Alert>
    );
  return null;
}
