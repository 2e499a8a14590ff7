/** Failures of models in German. */
export const modelFailures = {
  'model_failure.malformed_tool_calls':
    'Das Modell hat {times} Antworten nacheinander gesendet, die leer, abgeschnitten oder fehlerhafte Werkzeugaufrufe waren.',
  'model_failure.model_answer_cut':
    'Das Modell hat seine Antwort auf „{operation}“ zweimal an seiner Längengrenze abgebrochen. Erhöhen Sie die Grenze des Modells oder des Budgets oder lassen Sie weniger auf einmal schreiben.',
  'model_failure.model_answer_too_long': 'Das Modell beendet seine Antwort nicht.',
  'model_failure.model_answer_unusable':
    'Die Antworten des Modells auf „{operation}“ waren zweimal unbrauchbar: {reason}',
  'model_failure.model_answer_unusable.plan':
    'Der Plan des Modells ist auch nach {max} Korrekturen nicht ausführbar: {problems}',
  'model_failure.model_answer_unusable.schema':
    'Das Modell hat zweimal keine Antwort gegeben, die zum Schema passt.',
  'model_failure.model_not_found':
    'Der Modellanbieter kennt dieses Modell oder diese Adresse nicht (OPENAI_MODEL, OPENAI_BASE_URL).',
  'model_failure.model_not_found.listed': '{error} Er bietet {names} an.',
  'model_failure.model_not_found.web_page':
    'Der Modellanbieter hat mit einer Webseite geantwortet. Prüfen Sie die Basis-URL, die meist auf „/v1“ endet.',
  'model_failure.model_price_unknown':
    'Es gilt ein Kostenbudget, aber das Modell hat keinen Preis. Geben Sie ihn beim Modell-Endpunkt oder in MODEL_PRICES des agent-runner an.',
  'model_failure.model_prompt_too_long': 'Die Anfrage ist länger, als das Modell verarbeiten kann.',
  'model_failure.model_quota_exceeded': 'Das Kontingent beim Modellanbieter ist aufgebraucht.',
  'model_failure.model_rate_limited': 'Der Modellanbieter begrenzt die Zahl der Aufrufe.',
  'model_failure.model_refused':
    'Das Modell oder der Inhaltsfilter seines Anbieters hat die Antwort verweigert.',
  'model_failure.model_refused.words':
    'Das Modell oder der Inhaltsfilter seines Anbieters hat die Antwort verweigert: {words}',
  'model_failure.model_rejected': 'Der Modellanbieter hat den Aufruf mit Status {status} abgelehnt: {words}',
  'model_failure.model_rejected.dimensions':
    'Der Embedding-Server hat Vektoren mit unterschiedlichen Dimensionen oder gar keine geliefert.',
  'model_failure.model_rejected.endpoint': 'Der Modell-Endpunkt ist nicht erlaubt. {reason}',
  'model_failure.model_rejected.no_tools': 'Das Modell kann keine Werkzeuge aufrufen.',
  'model_failure.model_rejected.redirect':
    'Der Modellanbieter leitet weiter (Status {status}). Befolgt werden nur 307 und 308 auf demselben Server, damit kein anderer die Anfrage erhält. Geben Sie als Basis-URL die Adresse an, die antwortet.',
  'model_failure.model_rejected.vectors':
    'Der Embedding-Server hat nicht für jeden Text einen Vektor geliefert.',
  'model_failure.model_timeout': 'Das Modell hat nicht rechtzeitig geantwortet.',
  'model_failure.model_unauthorized': 'Der Modellanbieter hat den API-Schlüssel abgelehnt (OPENAI_API_KEY).',
  'model_failure.model_unauthorized.stored_key':
    'Der gespeicherte Schlüssel des Modell-Endpunkts ist nicht mehr lesbar. Geben Sie ihn erneut ein.',
  'model_failure.model_unavailable': 'Der Modellanbieter hat mit Status {status} geantwortet.',
  'model_failure.model_unauthorized.access':
    'Der Modellanbieter verweigert mit diesem API-Schlüssel den Zugriff (OPENAI_API_KEY){words}.',
  'model_failure.model_unavailable.loading':
    'Der Modellanbieter hat mit Status {status} geantwortet: Er lädt das Modell.',
  'model_failure.model_unavailable.no_answer':
    'Unter der Adresse des Modellanbieters antwortet niemand ({code}). Prüfen Sie, ob der Server läuft, und die Basis-URL (OPENAI_BASE_URL).',
  'model_failure.model_unavailable.check_stopped':
    'Der Dienst wurde beendet, bevor die Prüfung abgeschlossen war.',
  'model_failure.model_unavailable.connection':
    'Die Verbindung zum Modellanbieter kam nicht zustande oder brach ab.',
  'model_failure.model_unavailable.cut': 'Der Modellanbieter hat seine Antwort mittendrin beendet.',
} as const;
