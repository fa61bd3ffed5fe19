import{s as n,t as o,u as p}from"./chunk-ACV3IPUT.js";function i(r){let t;return function(m){let[e,f]=o(()=>t);return p(()=>{e||r().then(l=>f(()=>t=l),()=>{})},[]),e?n(e,{...m}):null}}export{i as a};
