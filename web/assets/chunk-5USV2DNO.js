import{c as n,d as o,e as p}from"./chunk-Q6CXCK4O.js";function i(r){let t;return function(m){let[e,f]=o(()=>t);return p(()=>{e||r().then(l=>f(()=>t=l),()=>{})},[]),e?n(e,{...m}):null}}export{i as a};
