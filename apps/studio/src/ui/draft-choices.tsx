import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from '../i18n/i18n';
import { ConfirmButton } from './actions';
import { Moment } from './format';
import type { DraftsOf } from './use-drafts';

interface DraftChoicesProps<T> {
  drafts: DraftsOf<T>;
  /** Etag of the server's version. */
  etag: string;
  /** Returns a short label of a draft. */
  describe: (content: T) => string;
  /** Called when the page should show something other than the typed text. */
  onShow?: () => void;
}

/** Offers choices for drafts of an older version and for drafts of other tabs. */
export function DraftChoices<T>({ drafts, etag, describe, onShow }: DraftChoicesProps<T>) {
  const { t } = useTranslation();
  const { own, others } = drafts;
  const showAfter = (change: () => void) => () => {
    change();
    onShow?.();
  };
  return (
    <>
      {own && own.etag !== etag && (
        <Alert color="yellow">
          <Stack gap="xs">
            <Text fw={600}>{t('drafts.older')}</Text>
            <Text size="sm">{t('drafts.olderText')}</Text>
            <Group gap="xs">
              <Button size="xs" variant="default" onClick={showAfter(drafts.leave)}>
                {t('drafts.showNewest')}
              </Button>
              <Button size="xs" variant="default" onClick={() => drafts.keep(own.content, etag)}>
                {t('drafts.goOn')}
              </Button>
            </Group>
          </Stack>
        </Alert>
      )}
      {others.map((draft) => (
        <Alert key={draft.id} color="blue">
          <Stack gap="xs">
            <Text fw={600}>{t('drafts.other')}</Text>
            <Text size="sm">
              {describe(draft.content)} · <Moment at={new Date(draft.at).toISOString()} />
            </Text>
            <Group gap="xs" align="flex-start">
              <Button size="xs" variant="default" onClick={showAfter(() => drafts.take(draft))}>
                {t('drafts.take')}
              </Button>
              <ConfirmButton
                label={t('drafts.discard')}
                confirm={t('drafts.discardNow')}
                onConfirm={() => drafts.discard(draft)}
              />
            </Group>
          </Stack>
        </Alert>
      ))}
    </>
  );
}
