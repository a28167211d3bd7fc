/** An item with every documented member, and one that is not documented. */

export const item = {
  sku: 'ACME-1',
  summaries: [
    {
      marketplaceId: 'ATVPDKIKX0DER',
      asin: 'B012345678',
      productType: 'WIDGET',
      conditionType: 'new_new',
      status: ['BUYABLE'],
      fnSku: 'X001',
      itemName: 'Blue widget',
      createdDate: '2024-01-02T03:04:05Z',
      lastUpdatedDate: '2024-02-02T03:04:05.006Z',
      mainImage: { link: 'https://img.example/1.png', height: 400, width: 500 },
      novelMember: { a: [1, 2] },
    },
  ],
  issues: [{ code: '1', message: 'Image too small', severity: 'WARNING', attributeNames: ['main_image'] }],
  offers: [
    {
      marketplaceId: 'ATVPDKIKX0DER',
      offerType: 'B2C',
      price: { currencyCode: 'USD', amount: '19.90' },
      points: { pointsNumber: 3, pointsMonetaryValue: { currencyCode: 'USD', amount: 1.5 } },
      audience: { value: 'ALL', displayName: 'All buyers' },
    },
  ],
  fulfillmentAvailability: [
    { fulfillmentChannelCode: 'DEFAULT', quantity: 4 },
    { fulfillmentChannelCode: 'AMAZON_NA' },
  ],
  procurement: [{ costPrice: { currencyCode: 'USD', amount: '1.00' } }],
  attributes: { brand: [{ value: 'Acme' }], item_name: [{ value: 'Blue widget' }] },
};
