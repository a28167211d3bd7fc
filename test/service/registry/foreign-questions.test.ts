/** The ten commonest questions in five languages, as sellers there write them. */

import { expect, it } from 'vitest';
import { loadRegistry } from '../../../src/service/registry/registry.ts';
import { translate } from '../../../src/service/search/translate.ts';

/** How far down an assistant is sure to look. */
const FIRST = 5;

/** Operations, report types or a tool of the hints; any of them answers. */
const ANSWERS: readonly RegExp[] = [
  /getListingsItem|review_listings/,
  /searchOrders|getOrders|ALL_ORDERS/,
  /InventorySummaries|INVENTORY/,
  /getOrderMetrics|SALES|salesAndTraffic/,
  /RETURN/,
  /efund|TRANSACTION|listTransactions|REIMBURSEMENTS/,
  /getMyFeesEstimate|FEE/,
  /SETTLEMENT|[Pp]ayouts/,
  /patchListingsItem|change_listings|PriceUpdate/,
  /upplySource/,
];

const QUESTIONS: Readonly<Record<string, readonly string[]>> = {
  German: [
    'Welche meiner Angebote haben Fehler?',
    'Zeig mir die Bestellungen der letzten Woche',
    'Wie hoch ist mein Lagerbestand?',
    'Wie viel Umsatz habe ich im letzten Monat gemacht?',
    'Retouren der letzten 30 Tage',
    'Welche Rückerstattungen gab es?',
    'Welche Gebühren zahle ich für dieses Produkt?',
    'Abrechnung und Auszahlungen',
    'Preise senken',
    'Öffnungszeiten der Filialen ändern',
  ],
  Spanish: [
    '¿Qué anuncios tienen errores?',
    'Muéstrame los pedidos de ayer',
    '¿Cuántas existencias tengo?',
    '¿Cuánto he vendido este mes?',
    'devoluciones de los últimos 30 días',
    'reembolsos de esta semana',
    '¿Qué tarifas pago por este producto?',
    'informe de liquidación',
    'bajar los precios',
    'horarios de las tiendas',
  ],
  French: [
    'Quelles annonces ont des erreurs ?',
    "Commandes d'hier",
    'inventaire des produits',
    'Combien ai-je vendu ce mois ?',
    'Retours des 30 derniers jours',
    'remboursements du mois',
    'Quels frais pour ce produit ?',
    'relevé des versements',
    'baisser les prix',
    'horaires des magasins',
  ],
  Italian: [
    'Quali inserzioni hanno errori?',
    'ordini di questa settimana',
    'giacenze di magazzino',
    'Quanto ho venduto il mese scorso?',
    'resi degli ultimi 30 giorni',
    'rimborsi della settimana',
    'Quali commissioni pago per questo prodotto?',
    'pagamenti e liquidazione',
    'abbassare i prezzi',
    'orari dei negozi',
  ],
  Japanese: [
    'エラーのある出品はどれですか',
    '先週の注文を見せて',
    '商品の在庫はいくらですか',
    '今月の売り上げ',
    '過去30日の返品',
    '今週の返金',
    'この商品の手数料',
    '決済と振込',
    '商品の価格を変えたい',
    '店舗の営業時間を変更したい',
  ],
};

const cases = Object.entries(QUESTIONS).flatMap(([language, asked]) =>
  asked.map((text, place) => [language, text, ANSWERS[place] ?? /^$/] as const),
);

it.each(cases)('%s: %s', async (_, search, answer) => {
  const { operations, reportTypes = [], hints = [] } = await (await loadRegistry()).list({ search });
  const first = [...operations.map(({ id }) => id), ...reportTypes.map(({ reportType }) => reportType)];
  expect([...first.slice(0, FIRST), ...hints].join('\n')).toMatch(answer);
});

it.each(['die cut boxes', 'order metrics', 'los angeles orders', 'son of a gun', 'con artist reviews'])(
  'an English search stays as it is: %s',
  (search) => expect(translate(search)).toBe(search),
);
