import { Button, CopyButton, type ButtonProps } from '@mantine/core';
import { useTranslation } from '../i18n/i18n';

/** A button that copies a text. @param name of the text, for screen readers */
export function CopyText({ text, name, ...look }: ButtonProps & { text: string; name?: string }) {
  const { t } = useTranslation();
  return (
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <Button
          size="xs"
          variant="default"
          {...look}
          aria-label={name && `${t('reading.copy')}: ${name}`}
          onClick={copy}
        >
          {t(copied ? 'reading.copied' : 'reading.copy')}
        </Button>
      )}
    </CopyButton>
  );
}
