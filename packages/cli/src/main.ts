console.log('dagline: no commands yet')
