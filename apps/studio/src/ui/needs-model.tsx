import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '../i18n/i18n';
import { modelQuery } from '../api/model';
import { RouteAnchor } from './route-links';

/** Returns whether the tenant's runs have a model; true until that is known. */
export function useHasModel(): boolean {
  return useQuery(modelQuery).data?.source !== 'none';
}

/** Explains, in place of a field for free text, what works without a model (X21). */
export function NeedsModel({ text }: { text: string }) {
  const { t } = useTranslation();
  return (
    <Text size="sm" c="dimmed">
      {text}{' '}
      <RouteAnchor to="/settings/model" underline="always">
        {t('needsModel.link')}
      </RouteAnchor>
    </Text>
  );
}
